import type { Engine } from '../engines/engine.ts'
import type { Asset, Hook } from '../project/project.ts'
import type { FileCheck, Finding } from './check.ts'
import { removeHere } from './fix.ts'

export const hookImpossible: FileCheck = {
  code: 'hook-impossible',
  doc: 'A statement of `deploy.before` or `deploy.after` that cannot run in the transaction of the build.',
  *run(asset, engine) {
    for (const hook of asset.hooks) {
      const problem = thisTooEarly(hook) ?? statementProblem(hook, asset, engine)
      if (problem !== undefined) yield problem
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove the statement'),
}

/** There is no table yet before it is built. */
function thisTooEarly({ when, template }: Hook): Finding | undefined {
  const tag = when === 'before' ? template.tags.find(({ kind }) => kind === 'this') : undefined
  if (tag === undefined) return undefined
  return {
    range: template.toFile.rangeToOriginal(tag.range),
    message: '{{ this }} is not there yet before it is built',
    hint: 'Move the statement to deploy.after.',
  }
}

function statementProblem({ template }: Hook, asset: Asset, engine: Engine): Finding | undefined {
  const { text, toFile } = template
  const tokens = engine.tokens(text).filter(({ kind }) => kind !== 'comment')
  const [first] = tokens
  if (first === undefined) return undefined
  const ends = tokens.findIndex(({ start, end }) => text.slice(start, end) === ';')
  const second =
    ends < 0 ? undefined : tokens.slice(ends).find(({ start, end }) => text.slice(start, end) !== ';')
  if (second !== undefined) {
    return {
      range: toFile.rangeToOriginal({ start: second.start, end: second.end }),
      message: 'this is a second statement',
      hint: 'Write each statement as an item of its own.',
    }
  }
  const words = tokens.map(({ start, end }) => text.slice(start, end).toLowerCase())
  const why = engine.storage.refusedInBuild(words)
  if (why === undefined) return undefined
  return {
    range: toFile.rangeToOriginal({ start: first.start, end: first.end }),
    message: `${text.slice(first.start, first.end).toUpperCase()} may not stand here: it ${why}`,
    hint: `The statements around the build of "${asset.name}" run in one transaction with it: all of it is stored, or nothing.`,
  }
}
