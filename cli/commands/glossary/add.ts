/** `svc glossary add-term | add-metric | add-dimension | add-policy`: one new entry in glossary.yaml. */
import { glossaryPath, type NamedKind, withEntry } from '@svc/server/language'
import { newEntry } from '../../engine/glossary/add-entry.ts'
import { checkChange, refuseBroken, writeChange } from '../../engine/glossary/change-glossary.ts'
import { addedEntryJson, renderAddedEntry } from '../../render/glossary.ts'
import type { CommandHelp } from '../../render/help.ts'
import { type Command, jsonOption, reportOf } from '../command.ts'
import { entryOptions, givenFields } from './entry-options.ts'

/** A term names no assets, and a dimension neither: their files alone are checked. */
const namesAssets: Readonly<Record<NamedKind, boolean>> = {
  term: false,
  metric: true,
  dimension: false,
  policy: true,
}

function addCommand(kind: NamedKind, help: Pick<CommandHelp, 'brief' | 'summary' | 'examples'>): Command {
  return {
    name: `glossary add-${kind}`,
    ...help,
    arguments: [{ name: 'name', summary: 'what people call it', required: true }],
    options: [...entryOptions(kind), jsonOption],
    exitCodes: {
      0: 'done',
      1: `there is such a ${kind}, or the glossary has or would have mistakes`,
      2: 'wrong usage or no project',
    },
    async run(context) {
      const looksAtAssets = namesAssets[kind]
      const values = givenFields(kind, context.options)
      const workspace = await context.openWorkspace(looksAtAssets ? {} : { readSources: false })
      const { glossary } = workspace.project
      refuseBroken(glossary)
      const entry = newEntry(glossary, kind, { ...values, name: context.arguments[0] ?? '' })
      const text = withEntry(glossary.file?.text, kind, entry.fields)
      const change = await checkChange(workspace, new Map([[glossaryPath, text]]), looksAtAssets)
      await writeChange(workspace, change)
      return reportOf({ entry, warnings: change.warnings }, renderAddedEntry, addedEntryJson)
    },
  }
}

export const addCommands: readonly Command[] = [
  addCommand('term', {
    brief: 'a new term in glossary.yaml',
    summary: 'Add a term to glossary.yaml; its name and identifier must be new.',
    examples: [
      { line: 'svc glossary add-term Customer', says: 'as term.customer' },
      { line: 'svc glossary add-term Churn --id term.churn_rate', says: 'with an identifier of its own' },
    ],
  }),
  addCommand('metric', {
    brief: 'a new metric in glossary.yaml',
    summary: 'Add a metric to glossary.yaml; its SQL and its assets are checked before it is written.',
    examples: [
      { line: 'svc glossary add-metric Revenue --time-grain month', says: 'what it covers' },
      {
        line: 'svc glossary add-metric Sold --source-assets orders --owner ada@example.com',
        says: 'with who answers for it',
      },
    ],
  }),
  addCommand('dimension', {
    brief: 'a new dimension in glossary.yaml',
    summary: 'Add a dimension to glossary.yaml: what figures are broken down by.',
    examples: [
      { line: 'svc glossary add-dimension Status --values open,paid,returned', says: 'with its values' },
      { line: 'svc glossary add-dimension "Order day" --type temporal', says: 'points in time' },
    ],
  }),
  addCommand('policy', {
    brief: 'a new policy in glossary.yaml',
    summary: 'Add a policy to glossary.yaml, and show what breaks it.',
    examples: [
      {
        line: 'svc glossary add-policy "No people" --applies-to "marts.*" --enforcement warn',
        says: 'for a folder',
      },
      { line: 'svc glossary add-policy "No mails" --pii-columns "*email*"', says: 'for columns by name' },
    ],
  }),
]
