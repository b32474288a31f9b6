/** `svc glossary add-term | link-term | list | search | export` (interface.md 4.4, decisions 4). */
import { resolve } from 'node:path'
import {
  entryId,
  exportGlossary,
  findTerm,
  type Glossary,
  glossaryPath,
  lineIndex,
  nearestNames,
  searchGlossary,
  type Term,
  type TermLink,
  withLink,
  withRole,
  withTerm,
} from '@svc/server/language'
import { writeGlossary, writeGlossaryCache } from '../engine/artifacts/glossary-file.ts'
import { writeWhole } from '../engine/artifacts/write-file.ts'
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import {
  addedTermJson,
  foundJson,
  glossaryListJson,
  linkedTermJson,
  renderAddedTerm,
  renderFound,
  renderGlossaryList,
  renderLinkedTerm,
} from '../render/glossary.ts'
import { type Command, type CommandContext, jsonOption } from './command.ts'
import { assetNamed } from './nearest-asset.ts'

export const addTermCommand: Command = {
  name: 'glossary add-term',
  brief: 'a new term in glossary.yaml',
  summary: 'Add a term to glossary.yaml; its name and identifier must be new.',
  arguments: [{ name: 'name', summary: 'what people call it', required: true }],
  options: [
    { name: 'description', value: 'text', summary: 'what it means' },
    { name: 'id', value: 'id', summary: 'identifier; term.<name> when absent' },
    jsonOption,
  ],
  examples: [
    { line: 'svc glossary add-term Customer', says: 'as term.customer' },
    { line: 'svc glossary add-term Churn --id term.churn_rate', says: 'with an identifier of its own' },
  ],
  exitCodes: {
    0: 'done',
    1: 'there is such a term, or the glossary has mistakes',
    2: 'wrong usage or no project',
  },
  async run(context) {
    const workspace = await context.openWorkspace({ readSources: false })
    const { glossary } = workspace.project
    refuseBroken(glossary)
    const name = (context.arguments[0] ?? '').trim().replace(/\s+/g, ' ')
    const id = context.options.text('id')?.trim() ?? entryId('term', name)
    const description = context.options.text('description')?.trim() ?? ''
    refuseTaken(glossary, name, id)
    const term = { id, name, description }
    save(context, workspace, withTerm(glossary.file?.text, term))
    return { exitCode: 0, text: style => renderAddedTerm(term, style), json: addedTermJson(term) }
  },
}

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
    if (asset === undefined) {
      throw new SvcError('wrong-usage', 'svc glossary link-term needs --asset', {
        hint: 'Name the asset that the term stands for, as in --asset customers.',
      })
    }
    const workspace = await context.openWorkspace()
    const { glossary } = workspace.project
    refuseBroken(glossary)
    const term = knownTerm(glossary, context.arguments[0] ?? '')
    const name = assetNamed(workspace, asset)
    const column = await knownColumn(workspace, name, context.options.text('column'))
    const role = context.options.text('role') as TermLink['role']
    const link = { term: term.id, asset: name, column, role }
    const isNew = saveLink(context, workspace, term, link)
    return {
      exitCode: 0,
      text: style => renderLinkedTerm(term, link, isNew, style),
      json: linkedTermJson(term, link, isNew),
    }
  },
}

export const listGlossaryCommand: Command = {
  name: 'glossary list',
  brief: 'terms, metrics, dimensions, policies',
  summary: 'Show the first terms of the glossary, and how much there is of everything.',
  arguments: [],
  options: [jsonOption],
  examples: [
    { line: 'svc glossary list', says: 'the first 10 terms, and counts' },
    { line: 'svc glossary list --json', says: 'for programs' },
  ],
  exitCodes: { 0: 'done', 2: 'wrong usage or no project' },
  async run(context) {
    const { project } = await context.openWorkspace({ readSources: false })
    const { glossary } = project
    return {
      exitCode: 0,
      text: style => renderGlossaryList(glossary, style),
      json: glossaryListJson(glossary),
    }
  },
}

export const searchGlossaryCommand: Command = {
  name: 'glossary search',
  brief: 'terms, metrics, dimensions, policies by words',
  summary: 'Find entries of the glossary that have all the words: in a name, an identifier, a meaning.',
  arguments: [{ name: 'words', summary: 'words to look for, in any case', required: true, variadic: true }],
  options: [jsonOption],
  examples: [
    { line: 'svc glossary search customer', says: 'entries called so come first' },
    { line: 'svc glossary search active customer --json', says: 'for programs' },
  ],
  exitCodes: { 0: 'done, also if nothing is found', 2: 'wrong usage or no project' },
  async run(context) {
    const words = [...context.rest].join(' ').trim()
    const { project } = await context.openWorkspace({ readSources: false })
    const found = searchGlossary(project.glossary, words)
    return { exitCode: 0, text: style => renderFound(found, words, style), json: foundJson(found) }
  },
}

export const exportGlossaryCommand: Command = {
  name: 'glossary export',
  brief: 'the whole glossary as JSON',
  summary: 'Print the whole glossary as JSON, or write it to a file.',
  arguments: [],
  options: [{ name: 'path', value: 'path', summary: 'file to write; standard output when absent' }],
  examples: [
    { line: 'svc glossary export', says: 'on standard output' },
    { line: 'svc glossary export --path glossary.json', says: 'to a file' },
  ],
  exitCodes: { 0: 'done', 1: 'the glossary has mistakes', 2: 'wrong usage or no project', 3: 'cannot write' },
  async run(context) {
    const { root, project } = await context.openWorkspace({ readSources: false })
    refuseBroken(project.glossary)
    const { name } = project.settings
    const document = JSON.stringify(
      exportGlossary(project.glossary, name, project.byName.values()),
      undefined,
      2,
    )
    writeGlossaryCache(root, project.glossary, project, context.world.pid)
    const path = context.options.text('path')
    if (path === undefined) return { exitCode: 0, text: () => [document] }
    writeWhole(resolve(context.world.cwd, path), `${document}\n`, context.world.pid)
    return { exitCode: 0, text: () => [`Wrote ${path}`] }
  },
}

export const glossaryCommands: readonly Command[] = [
  addTermCommand,
  linkTermCommand,
  listGlossaryCommand,
  searchGlossaryCommand,
  exportGlossaryCommand,
]

// ---------------------------------------------------------------- checks

/** Refuses to write into a file that cannot be parsed completely. */
function refuseBroken({ diagnostics, file }: Glossary): void {
  const problem = diagnostics.find(({ severity }) => severity === 'error')
  if (problem === undefined) return
  const { line, column } = lineIndex(file?.text ?? '').position(problem.range.start)
  throw new SvcError('invalid-glossary', `${glossaryPath}: ${problem.message}`, {
    place: `${glossaryPath}:${line}:${column}`,
    hint: 'svc validate shows every mistake at its place.',
  })
}

function refuseTaken(glossary: Glossary, name: string, id: string): void {
  if (name === '') throw new SvcError('wrong-usage', 'the name of the term is empty')
  const taken = findTerm(glossary, name)
  const sameId = glossary.terms.find(term => term.id === id)
  const other = taken ?? sameId
  if (other === undefined) return
  const what =
    taken === undefined
      ? `the term "${other.name}" has the identifier "${id}"`
      : `there is a term "${other.name}" (${other.id}) already`
  throw new SvcError('term-exists', what, {
    hint:
      taken === undefined
        ? 'Give this one another with --id.'
        : 'Choose another name, or edit glossary.yaml.',
  })
}

function knownTerm(glossary: Glossary, written: string): Term {
  const term = findTerm(glossary, written)
  if (term !== undefined) return term
  const near = nearestNames(
    written,
    glossary.terms.flatMap(each => [each.name, each.id]),
    1,
  )[0]
  const question = near === undefined ? '' : `; did you mean "${near}"?`
  throw new SvcError('unknown-term', `no term is called "${written}"${question}`, {
    hint: `svc glossary add-term "${written}" makes one.`,
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
  const near = nearestNames(written, columns, 1)[0]
  const question = near === undefined ? '' : `; did you mean "${near}"?`
  throw new SvcError('unknown-column', `${asset} has no column "${written}"${question}`, {
    hint: `svc inspect ${asset} lists its columns.`,
    asset,
  })
}

// ---------------------------------------------------------------- writing

function save(context: CommandContext, workspace: OpenedWorkspace, text: string): void {
  writeGlossary(workspace.root, text, workspace.project, context.world.pid)
}

/** Returns false if the link exists already. A link with another role gets the new one. */
function saveLink(
  context: CommandContext,
  workspace: OpenedWorkspace,
  term: Term,
  link: Pick<TermLink, 'term' | 'asset' | 'column' | 'role'>,
): boolean {
  const { glossary } = workspace.project
  const text = glossary.file?.text ?? ''
  const known = glossary.links.find(
    each =>
      findTerm(glossary, each.term) === term &&
      each.asset === link.asset &&
      (each.column ?? '').toLowerCase() === (link.column ?? '').toLowerCase(),
  )
  if (known === undefined) save(context, workspace, withLink(text, link))
  else if (link.role !== undefined && known.role !== link.role)
    save(context, workspace, withRole(text, known.index, link.role))
  return known === undefined
}
