/**
 * Findings about what stands in another file, where an edit of this one would repair nothing. One about a key that is
 * inherited from `defaults` in `svc.yaml` stands at the asset's name and says where the key comes from; one about a test of
 * the project's own names the test.
 */
import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { usesOwnTests } from '../project/read-with.ts'
import type { NodePath } from '../syntax/node.ts'
import { isOwnTest, testWord } from '../tests/index.ts'
import type { Range } from '../text/range.ts'
import type { Finding } from './check.ts'

const inheritedHint = 'It is inherited from "defaults" in svc.yaml.'

/**
 * Returns the test of one's own that a finding is about: its text is in another file, and an edit here would replace the
 * name of the test.
 */
export function ownUseAt(asset: Asset, { start, end }: Range): string | undefined {
  if (!usesOwnTests(asset)) return undefined
  return asset.definition.tests
    .filter(test => {
      const key = isOwnTest(test) ? locate(asset, ['tests', test.index, test.test], 'key') : undefined
      return key?.start === start && key.end === end
    })
    .map(testWord)[0]
}

/** `about` is the key that the findings of a check are about. */
export function placedFinding(asset: Asset, about: NodePath | undefined, finding: Finding): Finding {
  const own = ownUseAt(asset, finding.range)
  if (own !== undefined) {
    const { fixes: _fixes, ...rest } = finding
    return { ...rest, message: `${finding.message}, in the test "${own}"` }
  }
  if (about === undefined || asset.inherited === undefined || isWritten(asset, about, finding)) return finding
  const { fixes: _fixes, suggestions: _suggestions, hint, facts, ...rest } = finding
  const hints = hint === undefined ? [] : [hint]
  return {
    ...rest,
    range: locate(asset, ['name']),
    hint: [...hints, inheritedHint].join(' '),
    facts: { ...facts, inherited: true },
  }
}

/** Returns whether the file has the key, and of a list the item that is meant. */
function isWritten(asset: Asset, about: NodePath, { range }: Finding): boolean {
  const node = nodeAt(asset.tree, about)
  if (node?.kind !== 'sequence') return node !== undefined
  return node.items.some(item => item.range.start <= range.start && range.end <= item.range.end)
}
