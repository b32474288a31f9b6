/** Every key of `svc.yaml` (decisions 2). */
import { engines, usualWarehouse } from '../engines/index.ts'
import { environmentNameFormat, modelsFormat, nameFormat, warehouseFormat } from './formats.ts'
import { formatted, type Key, type ObjectShape, object, recordOf, scalar, text, unbuilt } from './shape.ts'

const vars: Key = {
  name: 'vars',
  doc: "Values for {{ var('name') }}.",
  default: {},
  shape: recordOf('variable', scalar),
}

export const settingsShape: ObjectShape = object(
  { name: 'name', doc: "The project's name.", shape: text, defaultDoc: "the folder's name" },
  {
    name: 'warehouse',
    doc: `Where the data lives: ${engines.map(({ address }) => address.form).join(', ')} or env:NAME.`,
    shape: formatted(warehouseFormat),
    default: usualWarehouse,
  },
  {
    name: 'default_schema',
    doc: 'Production schema of prod; other environments add their name to it.',
    shape: formatted(nameFormat),
    default: 'analytics',
  },
  { name: 'models', doc: 'Folder of the asset files.', shape: formatted(modelsFormat), default: 'models/' },
  {
    name: 'environments',
    doc: 'What differs in an environment.',
    default: {},
    shape: recordOf(
      'environment',
      object(
        { name: 'warehouse', doc: 'Its own warehouse.', shape: formatted(warehouseFormat) },
        { name: 'schema', doc: 'Its own schema.', shape: formatted(nameFormat) },
        vars,
      ),
      environmentNameFormat,
    ),
  },
  vars,
  unbuilt('ai', 'The AI provider.'),
)
