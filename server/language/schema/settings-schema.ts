/** Defines every key of `svc.yaml` (decisions 2). */
import { engines, usualWarehouse } from '../engines/index.ts'
import { limitKeys } from '../sources/shared-keys.ts'
import { projectAiKey } from './ai-schema.ts'
import { defaultsKey } from './defaults-schema.ts'
import { extensionsKey } from './extensions-schema.ts'
import { environmentNameFormat, modelsFormat, nameFormat, warehouseFormat } from './formats.ts'
import { notify } from './notify-schema.ts'
import { openlineage } from './openlineage-schema.ts'
import { destinations } from './publish-schema.ts'
import {
  choice,
  duration,
  formatted,
  type KeyParts,
  keysOf,
  type ObjectShape,
  object,
  recordOf,
  scalar,
  shorthand,
  size,
  text,
  wholeNumber,
} from './shape.ts'

const vars: KeyParts = {
  keysName: 'new name',
  doc: "Values for {{ var('name') }}.",
  default: {},
  shape: recordOf('variable', scalar),
}

export const sqlLimitKeys = keysOf({
  time: { doc: 'CPU time.', shape: duration, default: '2s', property: 'timeMs' },
  memory: { doc: 'Memory.', shape: size, default: '512MB', property: 'memoryBytes' },
  length: {
    doc: 'Characters of one SQL text; a longer one is not checked, and fails its asset.',
    shape: wholeNumber(1),
    default: 500_000,
    property: 'characters',
  },
  tests: {
    doc: 'Tests of an asset that have SQL: expression, sql and tests of its own; more fail the asset.',
    shape: wholeNumber(1),
    default: 4000,
  },
})

const limits: KeyParts = {
  doc: 'The limits of work before it is stopped.',
  default: {},
  shape: object({
    sql: {
      doc: 'To check one SQL statement, and to run one of a unit test.',
      default: {},
      shape: { kind: 'object', keys: sqlLimitKeys },
    },
    ingest: {
      doc: 'On what each source may take, where its asset does not say it itself.',
      default: {},
      // What is not written here is left to the asset and its defaults.
      shape: {
        kind: 'object',
        keys: limitKeys.map(({ default: usual, ...key }) => ({
          ...key,
          ...(usual !== undefined && { defaultDoc: String(usual) }),
        })),
      },
    },
  }),
}

export const promotionShape: ObjectShape = object({
  what: {
    doc: 'What a run promotes if something fails.',
    shape: choice({
      whole: 'Nothing: everything is promoted together or not at all.',
      passed: 'What passed; assets that failed and all that read them keep their live builds.',
    }),
    default: 'whole',
  },
  blockers: {
    doc: 'What is done about sessions that do nothing in an open transaction and hold a view, when `wait` is over.',
    shape: choice({
      wait: 'Nothing: the promotion gives up.',
      cancel: 'They are ended, if the role may, and what they had not committed is undone.',
    }),
    default: 'wait',
  },
  wait: {
    doc: 'How long a promotion waits for transactions of readers that hold its views.',
    shape: duration,
    default: '5m',
    property: 'waitMs',
  },
})

export const settingsShape: ObjectShape = object({
  name: { names: 'new name', doc: "The project's name.", shape: text, defaultDoc: "the folder's name" },
  warehouse: {
    names: 'address',
    doc: `Where the data lives: ${engines.map(({ address }) => address.form).join(', ')} or env:NAME.`,
    shape: formatted(warehouseFormat),
    default: usualWarehouse,
  },
  default_schema: {
    names: 'schema',
    doc: 'Production schema of prod; other environments add their name to it.',
    shape: formatted(nameFormat),
    default: 'analytics',
  },
  models: {
    names: 'file',
    doc: 'Folder of the asset files.',
    shape: formatted(modelsFormat),
    default: 'models/',
  },
  environments: {
    keysName: 'new name',
    doc: 'What differs in an environment.',
    default: {},
    shape: recordOf(
      'environment',
      object({
        warehouse: { names: 'address', doc: 'Its own warehouse.', shape: formatted(warehouseFormat) },
        schema: { names: 'schema', doc: 'Its own schema.', shape: formatted(nameFormat) },
        promotion: {
          doc: 'What a run promotes if something fails, and how a promotion meets readers; `promotion: passed` is short for `what`.',
          shape: shorthand(['what'], promotionShape),
          default: {},
        },
        warnings: {
          doc: 'What new warnings of a run do: those that its last run did not have.',
          shape: choice({
            show: 'They are shown, and the run goes on.',
            fail: 'They fail the run before its promotion, as --strict does.',
          }),
          default: 'show',
        },
        vars: { ...vars, keysName: 'variable' },
      }),
      environmentNameFormat,
    ),
  },
  vars,
  defaults: defaultsKey,
  destinations,
  notify,
  openlineage,
  extensions: extensionsKey(engines),
  limits,
  ai: projectAiKey,
})
