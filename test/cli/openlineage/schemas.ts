/** Checks events against the JSON Schemas of OpenLineage, each facet against the one that it names. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { LineageEvent } from '../../../cli/engine/openlineage/events.ts'

const folder = join(import.meta.dirname, '../../fixtures/openlineage')

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
for (const name of readdirSync(folder).filter(name => name.endsWith('.json')))
  ajv.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')))

/** Returns what is wrong, by the address of the schema. */
export function slipsIn(events: readonly LineageEvent[]): readonly string[] {
  return events.flatMap(event => [
    ...slipsBy(event.schemaURL, event),
    ...facetsIn(event).flatMap(facet => slipsBy(facet._schemaURL, facet)),
  ])
}

function slipsBy(address: string, value: unknown): readonly string[] {
  const validate = ajv.getSchema(address)
  if (validate === undefined) return [`${address} is no schema`]
  return validate(value) ? [] : [`${address}: ${ajv.errorsText(validate.errors)}`]
}

interface Facet {
  readonly _schemaURL: string
}

/** Everything at any depth that names a schema. */
function facetsIn(value: unknown): readonly Facet[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(facetsIn)
  return '_schemaURL' in value ? [value as Facet, ...inner] : inner
}
