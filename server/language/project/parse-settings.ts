/** Parses the text of `svc.yaml`. It never throws; a missing file gives the defaults. */
import { noOwnTests } from '../own-tests/own-test.ts'
import { defaultsOf, type Reading, type Values } from '../schema/read-value.ts'
import { settingsShape } from '../schema/settings-schema.ts'
import { parseYaml } from '../syntax/yaml.ts'
import { usualEnvironment } from '../text/command-line.ts'
import { engineOfEnvironment, enginesByEnvironment, type Variables } from './environment-engines.ts'
import { nodeAt } from './locate.ts'
import type { Settings } from './project.ts'
import { diagnosticsOf, readMapping } from './read-yaml.ts'

export const settingsPath = 'svc.yaml'

/**
 * Parses the settings. `text` is undefined if there is no file. Its engine is that of the `environment`, whose address may
 * be in one of the `variables`.
 */
export function parseSettings(
  text: string | undefined,
  variables: Variables = {},
  environment: string = usualEnvironment,
): Settings {
  const { root, problems } = parseYaml(text ?? '')
  const reading: Reading = { text: text ?? '', problems: [...problems] }
  const mustBe = 'svc.yaml is a mapping with keys such as "name" and "warehouse"'
  const read = readMapping(reading, root, settingsShape, mustBe) ?? defaultsOf(settingsShape)
  const { name = 'project', models, defaults, ...settings } = read as unknown as ReadSettings
  const { warehouse, environments } = settings
  const isWritten = nodeAt(root, ['warehouse']) !== undefined
  const addresses = { warehouse, isWritten, environments, variables }
  return {
    ...settings,
    name,
    environment,
    engine: engineOfEnvironment(addresses, environment),
    engines: enginesByEnvironment(addresses),
    models: folder(models),
    defaults: Object.entries(defaults).map(([pattern, values]) => ({ pattern, values })),
    ownTests: noOwnTests,
    diagnostics: diagnosticsOf(reading, settingsPath),
    ...(text !== undefined && { file: { text, tree: root } }),
  }
}

/** The settings as the schema reads them: a wrong value is reported at its place, and the default is used. */
interface ReadSettings
  extends Omit<
    Settings,
    'name' | 'environment' | 'engine' | 'engines' | 'defaults' | 'ownTests' | 'diagnostics' | 'file'
  > {
  readonly name?: string
  readonly defaults: Readonly<Record<string, Values>>
}

/** Turns `./models` into `models/`; the root itself is ''. */
function folder(written: string): string {
  const bare = written.replace(/^(\.\/)+/, '').replace(/\/+$/, '')
  return bare === '' || bare === '.' ? '' : `${bare}/`
}
