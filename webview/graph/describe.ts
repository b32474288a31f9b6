/** Returns the text of a card for screen readers: everything that its colours and glyphs show. Pure. */
import { lookOfNode } from './asset-state.ts'
import type { Facts } from './lens.ts'
import type { ShownNode, View } from './view.ts'

const kinds = {
  source: 'ingestion source',
  model: 'transformation model',
  publish: 'publish target',
  exposure: 'exposure',
} as const

export function describeNode(view: View, index: number, facts: Facts): string {
  const shown = view.nodes[index]
  if (shown === undefined) return 'No asset selected'
  const parts =
    shown.node?.kind === 'exposure'
      ? [shown.label, kinds.exposure]
      : [shown.label, kindWord(shown), lookOfNode(facts).word, testWord(facts), freshnessWord(facts)]
  const up = (view.parents[index]?.length ?? 0) + shown.hiddenUp
  const down = (view.children[index]?.length ?? 0) + shown.hiddenDown
  return `${parts.filter(part => part !== '').join(', ')}; ${up} upstream, ${down} downstream`
}

function kindWord({ node, members }: ShownNode): string {
  return node === undefined ? `folder of ${members.length} assets` : kinds[node.kind]
}

function testWord({ tests: { total, failed, warned } }: Facts): string {
  if (total === 0) return 'no tests'
  if (failed > 0) return `${failed} of ${total} tests fail`
  return warned > 0
    ? `${warned} of ${total} tests warn`
    : `${total} ${total === 1 ? 'test passes' : 'tests pass'}`
}

function freshnessWord({ freshness }: Facts): string {
  return freshness === 'warn' || freshness === 'error' ? `freshness ${freshness.toUpperCase()}` : ''
}
