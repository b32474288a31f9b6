/** `svc discover <url_or_connection_string> [table:<name>]`: writes assets for what is found there (interface.md 4.4). */
import { join } from 'node:path'
import { databaseExamples } from '@svc/server/language'
import { writeWhole } from '../engine/artifacts/write-file.ts'
import { pathOf } from '../engine/discover/asset-name.ts'
import type { Discovery } from '../engine/discover/discover.ts'
import { SvcError } from '../engine/errors.ts'
import { assetPlace, refuseExistingFile } from '../engine/workspace/asset-place.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { renderDiscovery } from '../render/discovery.ts'
import { type Command, type CommandContext, jsonOption } from './command.ts'

export const discoverCommand: Command = {
  name: 'discover',
  brief: 'write an asset from a web service, a database or files',
  summary:
    'Look at a web service, a database or files, and write asset files with the columns that are there.',
  arguments: [
    {
      name: 'url_or_connection_string',
      summary: `https://…, ${databaseExamples}, env:NAME, data/*.csv, s3://…, sftp://…, or warehouse for the project's own`,
      required: true,
    },
    { name: 'table:<name>', summary: 'of a database: which table, as schema.table' },
  ],
  options: [
    { name: 'name', value: 'name', summary: 'name of the asset; by default that of the table or path' },
    { name: 'output', short: 'o', value: 'path', summary: 'file to write; by default models/<name>.svc' },
    { name: 'all', summary: 'of a database: one asset for each table' },
    {
      name: 'auth',
      value: 'login',
      summary: 'of a web service: bearer, "basic username=ada", or as ingest.auth has it',
    },
    { name: 'like', value: 'name', summary: 'of a web service: the login of this asset or destination' },
    { name: 'write', summary: 'write the file (default)' },
    { name: 'no-write', summary: 'print the file only' },
    jsonOption,
  ],
  examples: [
    { line: 'svc discover https://api.example.com/v1/orders', says: 'writes models/orders.svc' },
    { line: 'svc discover env:SHOP_DATABASE table:public.orders --no-write', says: 'prints the file' },
  ],
  exitCodes: {
    0: 'done',
    1: 'an asset of that name exists, or the source has no records',
    2: 'wrong usage or no project',
    3: 'the source cannot be reached',
  },
  async run(context) {
    const { options, arguments: words } = context
    const workspace = await context.openWorkspace({ readSources: false })
    const name = options.text('name')
    const isAll = options.flag('all')
    refuseMixture(context)
    const output = options.text('output')
    const place = output === undefined ? undefined : assetPlace(workspace, output)
    const isWritten = !options.flag('no-write')
    const login = { auth: options.text('auth'), like: options.text('like') }
    const request = { address: words[0] ?? '', table: tableOf(words[1]), name, all: isAll, ...login }
    const { discover } = await import('../engine/discover/discover.ts')
    const found = await discover({ ...request, isNew: isWritten }, workspace)
    const { models } = workspace.project.settings
    const places = found.assets.map(asset => place ?? pathOf(models, asset.name))
    if (isWritten) writeAll(found, places, workspace, context)
    const shown = { ...found, places, isWritten }
    return {
      exitCode: 0,
      text: style => renderDiscovery(shown, style),
      json: jsonOf(found, places, isWritten),
    }
  },
}

function refuseMixture({ options, arguments: words }: CommandContext): void {
  const refuse = (message: string, hint: string) => {
    throw new SvcError('wrong-usage', message, { hint })
  }
  if (options.text('auth') !== undefined && options.text('like') !== undefined)
    refuse('--auth cannot be combined with --like', 'Both say how to sign in: leave out one of them.')
  if (!options.flag('all')) return
  if (options.text('name') !== undefined || options.text('output') !== undefined)
    refuse('--all cannot be combined with --name or --output', 'Each asset has the name of its table.')
  if (words[1] !== undefined) refuse('--all cannot be combined with a table', 'Leave out one of them.')
}

function tableOf(word: string | undefined): string | undefined {
  if (word === undefined) return undefined
  if (word.startsWith('table:') && word.length > 'table:'.length) return word.slice('table:'.length)
  throw new SvcError('wrong-usage', `"${word}" names no table`, {
    hint: 'A table is written table:<name>, such as table:public.orders.',
  })
}

/** All or none: nothing is written where a file is in the way. */
function writeAll(
  { assets }: Discovery,
  places: readonly string[],
  { root }: OpenedWorkspace,
  { world }: CommandContext,
): void {
  const hint = 'Choose another file with --output, or look at the new text with --no-write.'
  for (const path of places) refuseExistingFile({ root }, path, hint)
  for (const [index, { text }] of assets.entries()) {
    writeWhole(join(root, places[index] ?? ''), text, world.pid)
  }
}

function jsonOf({ assets, unset }: Discovery, places: readonly string[], isWritten: boolean) {
  return {
    assets: assets.map(({ name, text, columns, primaryKey, loginOf }, index) => ({
      name,
      path: places[index] ?? '',
      written: isWritten,
      text,
      columns: columns.map(({ name, from, type, isPersonal }) => ({
        name,
        from,
        type: type ?? null,
        pii: isPersonal,
      })),
      primary_key: [...primaryKey],
      login_of: loginOf ?? null,
    })),
    unset_variables: [...unset],
  }
}
