/** `svc glossary link-term | unlink-term` (interface.md 4.4). */
import {
  didYouMean,
  findTerm,
  type Glossary,
  glossaryPath,
  type Term,
  type TermLink,
  withChanges,
  withEntry,
  withoutEntry,
} from '@svc/server/language'
import { SvcError } from '../../engine/errors.ts'
import { checkChange, refuseBroken, writeChange } from '../../engine/glossary/change-glossary.ts'
import { shown } from '../../engine/glossary/find-entry.ts'
import type { OpenedWorkspace } from '../../engine/workspace/open-workspace.ts'
import {
  linkedTermJson,
  renderLinkedTerm,
  renderUnlinkedTerm,
  unlinkedTermJson,
} from '../../render/glossary.ts'
import { type Command, jsonOption, reportOf } from '../command.ts'
import { assetNamed } from '../nearest-asset.ts'

export const linkTermCommand: Command = {
  name: 'glossary link-term',
  brief: 'say which column a term stands for',
  summary: 'Link a term to an asset, or to a column of it, in glossary.yaml.',
  arguments: [
    { name: 'term_name_or_id', summary: 'name, identifier or synonym of the term', required: true },
  ],
  options: [
    { name: 'asset', value: 'asset', summary: 'the asset, by name or file (required)' },
    { name: 'column', value: 'column', summary: 'a column of it; the asset itself when absent' },
    {
      name: 'role',
      value: 'role',
      summary: 'the part of the column in the asset',
      choices: ['primary_key', 'foreign_key', 'attribute'],
    },
    jsonOption,
  ],
  examples: [
    { line: 'svc glossary link-term Customer --asset customers', says: 'an asset' },
    {
      line: 'svc glossary link-term Customer --asset orders --column customer_id',
      says: 'a column',
    },
  ],
  exitCodes: {
    0: 'done',
    1: 'the glossary has mistakes',
    2: 'wrong usage, no project, unknown term, asset or column',
  },
  async run(context) {
    const asset = context.options.text('asset')
    if (asset === undefined) throw needsAsset('link-term', 'Name the asset that the term stands for')
    const workspace = await context.openWorkspace()
    const { glossary } = workspace.project
    refuseBroken(glossary)
    const term = knownTerm(glossary, context.arguments[0] ?? '')
    const name = assetNamed(workspace, asset)
    const column = await knownColumn(workspace, name, context.options.text('column'))
    const role = context.options.text('role') as TermLink['role']
    const link = { asset: name, column, role }
    const saved = await saveLink(workspace, term, link)
    const shown = { ...link, role: role ?? saved.oldRole }
    return reportOf({ term, link: shown, ...saved }, renderLinkedTerm, linkedTermJson)
  },
}

export const unlinkTermCommand: Command = {
  name: 'glossary unlink-term',
  brief: 'take a link to a column back',
  summary: 'Remove the link of a term to an asset, or to a column of it, from glossary.yaml.',
  arguments: linkTermCommand.arguments,
  options: [
    { name: 'asset', value: 'asset', summary: 'the asset of the link (required)' },
    { name: 'column', value: 'column', summary: 'its column; the link to the asset itself when absent' },
    jsonOption,
  ],
  examples: [
    { line: 'svc glossary unlink-term Customer --asset customers', says: 'the asset itself' },
    {
      line: 'svc glossary unlink-term Customer --asset orders --column customer_id',
      says: 'a column',
    },
  ],
  exitCodes: {
    0: 'done',
    1: 'the glossary has mistakes',
    2: 'wrong usage, no project, unknown term or link',
  },
  async run(context) {
    const asset = context.options.text('asset')
    if (asset === undefined) throw needsAsset('unlink-term', 'Name the asset of the link')
    const workspace = await context.openWorkspace({ readSources: false })
    const { glossary } = workspace.project
    refuseBroken(glossary)
    const term = knownTerm(glossary, context.arguments[0] ?? '')
    const column = context.options.text('column')
    // The asset may be gone: then its name is what the link says.
    const isAsset = (each: TermLink) => each.asset === asset || isFileOf(workspace, each.asset, asset)
    const found = linksOf(glossary, term).find(each => isAsset(each) && isSameColumn(each.column, column))
    if (found === undefined) throw unknownLink(glossary, term, asset, column)
    await save(workspace, withoutEntry(glossary.file?.text ?? '', 'link', found.index))
    return reportOf({ term, link: found }, renderUnlinkedTerm, unlinkedTermJson)
  },
}

function knownTerm(glossary: Glossary, written: string): Term {
  const term = findTerm(glossary, written)
  if (term !== undefined) return term
  const question = didYouMean(
    written,
    glossary.terms.flatMap(each => [each.name, each.id]),
  )
  throw new SvcError('unknown-term', `no term is called "${shown(written)}"${question}`, {
    hint: `svc glossary add-term "${shown(written)}" makes one.`,
  })
}

async function knownColumn(
  workspace: OpenedWorkspace,
  asset: string,
  written: string | undefined,
): Promise<string | undefined> {
  if (written === undefined) return undefined
  const analysis = (await workspace.analysis()).of(asset)
  const columns = analysis?.columns.map(column => column.name) ?? []
  const match = columns.find(column => column.toLowerCase() === written.toLowerCase())
  if (match !== undefined || analysis?.complete !== true) return match ?? written
  throw new SvcError('unknown-column', `${asset} has no column "${written}"${didYouMean(written, columns)}`, {
    hint: `svc inspect ${asset} lists its columns.`,
    asset,
  })
}

function needsAsset(command: string, what: string): SvcError {
  return new SvcError('wrong-usage', `svc glossary ${command} needs --asset`, {
    hint: `${what}, as in --asset customers.`,
  })
}

function linksOf(glossary: Glossary, term: Term): readonly TermLink[] {
  return glossary.links.filter(link => findTerm(glossary, link.term) === term)
}

function isSameColumn(a: string | undefined, b: string | undefined): boolean {
  return (a ?? '').toLowerCase() === (b ?? '').toLowerCase()
}

function isFileOf(workspace: OpenedWorkspace, name: string, written: string): boolean {
  const path = workspace.project.byName.get(name)?.path
  return path !== undefined && (path === written || path.endsWith(`/${written}`))
}

function unknownLink(glossary: Glossary, term: Term, asset: string, column: string | undefined): SvcError {
  const place = `${shown(asset)}${column === undefined ? '' : `.${shown(column)}`}`
  const links = linksOf(glossary, term).map(each => [each.asset, each.column].filter(Boolean).join('.'))
  const hint =
    links.length === 0
      ? 'It has no links in glossary.yaml; those of columns are in the files of their assets.'
      : `Its links are ${links.slice(0, 5).join(', ')}${links.length > 5 ? ', …' : ''}.`
  return new SvcError('unknown-entry', `glossary.yaml does not link "${term.name}" to ${place}`, { hint })
}

/** A link that is there with another role gets the new one; `oldRole` is what it had, and `isChanged` whether it was another. */
async function saveLink(
  workspace: OpenedWorkspace,
  term: Term,
  link: Pick<TermLink, 'asset' | 'column' | 'role'>,
): Promise<{ isNew: boolean; isChanged: boolean; oldRole: TermLink['role'] }> {
  const { glossary } = workspace.project
  const text = glossary.file?.text ?? ''
  const known = linksOf(glossary, term).find(
    each => each.asset === link.asset && isSameColumn(each.column, link.column),
  )
  const { asset, column = '', role = '' } = link
  if (known === undefined)
    await save(workspace, withEntry(text, 'link', { term: term.id, asset, column, role }))
  const isChanged = known !== undefined && link.role !== undefined && known.role !== link.role
  if (isChanged) await save(workspace, withChanges(text, 'link', known.index, { role: link.role }))
  return { isNew: known === undefined, isChanged, oldRole: known?.role }
}

async function save(workspace: OpenedWorkspace, text: string): Promise<void> {
  await writeChange(workspace, await checkChange(workspace, new Map([[glossaryPath, text]]), false))
}
