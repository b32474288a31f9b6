/** `svc create asset <name>`: writes a template that validates and runs unchanged (interface.md 4.4). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkAsset, type Project, sourceKinds, withoutPlaceholders } from '@svc/server/language'
import { writeWhole } from '../engine/artifacts/write-file.ts'
import { SvcError } from '../engine/errors.ts'
import { type Command, jsonOption } from './command.ts'

export const createAssetCommand: Command = {
  name: 'create asset',
  brief: 'write a new asset file',
  summary: 'Write a new asset file from a template in models/.',
  arguments: [
    { name: 'name', summary: 'name of the asset: small letters, digits, underscores', required: true },
  ],
  options: [
    {
      name: 'from',
      value: 'kind',
      summary: 'where its data comes from; none: from other assets',
      choices: ['none', ...sourceKinds.map(({ variant }) => variant.value)],
      default: 'rows',
    },
    jsonOption,
  ],
  examples: [
    { line: 'svc create asset customers', says: 'writes models/customers.svc' },
    { line: 'svc create asset orders --from rest_api', says: 'read from a web service' },
  ],
  exitCodes: { 0: 'done', 1: 'an asset of that name exists', 2: 'wrong usage, invalid name or no project' },
  async run(context) {
    const name = context.arguments[0] ?? ''
    const text = template(name, context.options.text('from') ?? 'rows')
    const workspace = await context.openWorkspace({ readSources: false })
    const path = `${workspace.project.settings.models.replace(/\/+$/, '')}/${name}.svc`
    refuseInvalidName(name)
    const existing = workspace.project.byName.get(name)?.path
    if (existing !== undefined || existsSync(join(workspace.root, path))) {
      throw new SvcError('asset-exists', `an asset called "${name}" exists already: ${existing ?? path}`, {
        hint: 'Choose another name, or edit that file.',
      })
    }
    refuseBadName(name, workspace.project.with(path, text), path)
    writeWhole(join(workspace.root, path), text, context.world.pid)
    return {
      exitCode: 0,
      text: () => [`Wrote ${path}`, '', `Next: edit it, then svc validate and svc run ${name}`],
      json: { path },
    }
  },
}

/** Throws SvcError `wrong-usage`. */
export function refuseInvalidName(name: string): void {
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return
  const small = name.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  const example = /^[a-z]/.test(small) ? small : 'daily_sales'
  throw new SvcError('wrong-usage', `"${name}" cannot name a new asset`, {
    hint: `A name starts with a small letter and has small letters, digits and underscores, such as ${example}.`,
  })
}

/** Refuses a name that is too long or reserved, by checking the template with that name. */
function refuseBadName(name: string, project: Project, path: string): void {
  const problem = checkAsset(project, path, undefined).find(({ severity }) => severity === 'error')
  if (problem === undefined) return
  throw new SvcError('wrong-usage', `"${name}" cannot name an asset: ${problem.message}`, {
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
  })
}

function template(name: string, from: string): string {
  const kind = sourceKinds.find(({ variant }) => variant.value === from)
  if (from === 'rows' || kind === undefined) return rowsTemplate(name, from === 'none')
  return `${head(name)}
# svc explain ingest.${from} shows its keys; "ingest: none" is for a model on other assets.
${kind.skeleton.ingest(name).map(withoutPlaceholders).join('\n')}

# {{ source }} is the data above. Name the columns once the first run has shown them.
transform: |
  SELECT *
  FROM {{ source }}
`
}

function head(name: string): string {
  return `name: ${name}
description: One sentence about what a row of ${name} is.
`
}

function rowsTemplate(name: string, isModel: boolean): string {
  if (isModel)
    return `${head(name)}ingest: none

# Replace the SELECT by one that reads other assets: FROM {{ ref('other_asset') }}.
transform: |
  SELECT 1 AS id, 'first' AS label

tests:
  - unique: id
  - not_null: [id, label]
`
  return `${head(name)}
# Where the data comes from: rest_api, sql, file, rows, or "ingest: none" for a model on other assets.
ingest:
  type: rows
  rows:
    - {id: 1, label: first}
    - {id: 2, label: second}

# {{ source }} is the data above, {{ ref('other_asset') }} another asset.
transform: |
  SELECT id, label
  FROM {{ source }}

tests:
  - unique: id
  - not_null: [id, label]
`
}
