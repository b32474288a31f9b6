/** `svc glossary list | search | export`. */
import { resolve } from 'node:path'
import { exportGlossary, searchGlossary } from '@svc/server/language'
import { writeGlossaryCache } from '../../engine/artifacts/glossary-file.ts'
import { writeWhole } from '../../engine/artifacts/write-file.ts'
import { refuseBroken } from '../../engine/glossary/change-glossary.ts'
import { foundJson, glossaryListJson, renderFound, renderGlossaryList } from '../../render/glossary.ts'
import { type Command, jsonOption, reportOf } from '../command.ts'

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
  exitCodes: { 0: 'done', 1: 'the glossary has mistakes', 2: 'wrong usage or no project' },
  async run(context) {
    const { project } = await context.openWorkspace({ readSources: false })
    refuseBroken(project.glossary)
    return reportOf(project.glossary, renderGlossaryList, glossaryListJson)
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
  exitCodes: {
    0: 'done, also if nothing is found',
    1: 'the glossary has mistakes',
    2: 'wrong usage or no project',
  },
  async run(context) {
    const words = context.rest.join(' ').trim()
    const { project } = await context.openWorkspace({ readSources: false })
    refuseBroken(project.glossary)
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
    const exported = exportGlossary(project.glossary, project.settings.name, project.byName.values())
    const document = JSON.stringify(exported, undefined, 2)
    writeGlossaryCache(root, project.glossary, project, context.world.pid)
    const path = context.options.text('path')
    if (path === undefined) return { exitCode: 0, text: () => [document] }
    writeWhole(resolve(context.world.cwd, path), `${document}\n`, context.world.pid)
    return { exitCode: 0, text: () => [`Wrote ${path}`] }
  },
}
