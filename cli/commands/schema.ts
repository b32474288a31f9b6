/**
 * `svc schema`: prints JSON Schemas of the files that people write and of every JSON output (decisions 3).
 */
import { assetJsonSchema, didYouMean, glossaryJsonSchema, settingsJsonSchema } from '@svc/server/language'
import { SvcError } from '../engine/errors.ts'
import type { Command } from './command.ts'

export const schemaCommand: Command = {
  name: 'schema',
  brief: 'JSON Schemas of files and outputs',
  summary:
    "Print a JSON Schema: of asset files, of svc.yaml or glossary.yaml, or of a command's JSON output.",
  arguments: [
    {
      name: 'name',
      summary: 'asset (default), settings, glossary, or a command; "list" names all',
    },
  ],
  options: [],
  examples: [
    { line: 'svc schema > svc.schema.json', says: 'for editors: the asset file' },
    { line: 'svc schema validate', says: 'what svc validate --json prints' },
  ],
  exitCodes: { 0: 'done', 2: 'no schema of that name' },
  async run(context) {
    const { outputSchemas } = await import('@svc/server/contract')
    const schemas: Readonly<Record<string, () => unknown>> = {
      asset: assetJsonSchema,
      settings: settingsJsonSchema,
      glossary: glossaryJsonSchema,
      ...Object.fromEntries(Object.entries(outputSchemas).map(([name, schema]) => [name, () => schema])),
    }
    const name = context.arguments[0] ?? 'asset'
    if (name === 'list') return { exitCode: 0, text: () => Object.keys(schemas) }
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (schema === undefined) throw unknownSchema(name, Object.keys(schemas))
    return { exitCode: 0, text: () => [JSON.stringify(schema(), undefined, 2)] }
  },
}

function unknownSchema(name: string, known: readonly string[]): SvcError {
  return new SvcError('wrong-usage', `no schema is called "${name}"${didYouMean(name, known)}`, {
    hint: `There are: ${known.join(', ')}.`,
  })
}
