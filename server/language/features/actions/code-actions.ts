/** Lists the code actions at a place: quick fixes for its problems, and rewrites that keep the meaning. */
import { fixOf } from '../../checks/diagnostic-codes.ts'
import type { Problem, Remedy } from '../../checks/fix.ts'
import type { TextEdit } from '../../text/diagnostic.ts'
import { isOneSlip } from '../../text/one-slip.ts'
import { type Range, touches } from '../../text/range.ts'
import { textAt } from '../file-text.ts'
import type { Knowledge } from '../knowledge.ts'
import { type CodeAction, plainAction } from './code-action.ts'
import { columnActions } from './column-actions.ts'
import { expandStar } from './expand-star.ts'
import { extractCte } from './extract-cte.ts'

export function codeActions(knowledge: Knowledge, path: string, range: Range): readonly CodeAction[] {
  const text = textAt(knowledge, path)
  if (text === undefined) return []
  const touched = knowledge.diagnostics(path).filter(each => touches(each.range, range))
  const fixes = touched.flatMap(diagnostic => quickFixes({ knowledge, path, text, diagnostic }))
  const asset = knowledge.project.assets.get(path)
  const refactorings =
    asset === undefined
      ? []
      : [
          ...columnActions(knowledge, asset, range.start),
          ...expandStar(knowledge, asset, range.start),
          ...extractCte(knowledge, asset, range.start),
        ]
  return [...fixes, ...refactorings]
}

/**
 * Returns every fix of one problem; those of the diagnostic itself come first. Preferred is what an editor may do for many problems
 * at once, unseen: it corrects one slip of the keyboard, which cannot change what is meant.
 */
export function quickFixes(problem: Problem): readonly CodeAction[] {
  const { diagnostic } = problem
  const own: readonly Remedy[] = diagnostic.fixes ?? []
  return [...own, ...(fixOf(diagnostic.code)?.(problem) ?? [])].map((each, index) => ({
    title: each.title,
    kind: 'quickfix',
    edits: each.edits,
    creates: each.creates ?? [],
    diagnostic,
    preferred: index === 0 && (diagnostic.suggestions?.length ?? 0) <= 1 && isSlip(problem, each),
  }))
}

function isSlip({ path, text }: Problem, { edits, creates = [] }: Remedy): boolean {
  const [edit] = edits
  if (edit === undefined || edits.length > 1 || creates.length > 0 || edit.path !== path) return false
  return isOneSlip(text.slice(edit.range.start, edit.range.end), edit.newText)
}

/** Combines the preferred fixes of a file's problems, without those that overlap others. */
export function fixAll(knowledge: Knowledge, path: string): CodeAction | undefined {
  const text = textAt(knowledge, path)
  if (text === undefined) return undefined
  const edits: TextEdit[] = []
  for (const diagnostic of knowledge.diagnostics(path)) {
    const sure = quickFixes({ knowledge, path, text, diagnostic }).find(action => action.preferred)
    const isFree =
      sure?.edits.every(
        edit => edit.path === path && !edits.some(other => touches(edit.range, other.range)),
      ) ?? false
    if (sure !== undefined && isFree) edits.push(...sure.edits)
  }
  if (edits.length === 0) return undefined
  return plainAction('Fix all problems that have one clear fix', 'source.fixAll', edits)
}
