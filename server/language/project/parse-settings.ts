/** Parses the text of `svc.yaml`. It never throws; a missing file gives the defaults. */
import type { Engine } from '../engines/engine.ts'
import { noOwnTests } from '../own-tests/own-test.ts'
import { refuse } from '../schema/read-scalar.ts'
import { defaultsOf, type Reading, type Values } from '../schema/read-value.ts'
import { settingsShape } from '../schema/settings-schema.ts'
import type { Node } from '../syntax/node.ts'
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
  const engines = enginesByEnvironment(addresses)
  checkPatience(reading, root, engines)
  return {
    ...settings,
    name,
    environment,
    engine: engineOfEnvironment(addresses, environment),
    engines,
    models: folder(models),
    defaults: Object.entries(defaults).map(([pattern, values]) => ({ pattern, values })),
    ownTests: noOwnTests,
    diagnostics: diagnosticsOf(reading, settingsPath),
    ...(text !== undefined && { file: { text, tree: root } }),
  }
}

/** Where readers hold no views, nothing waits for them. */
function checkPatience(
  reading: Reading,
  root: Node | undefined,
  engines: ReadonlyMap<string, Engine | undefined>,
): void {
  for (const [name, engine] of engines) {
    const promotion = nodeAt(root, ['environments', name, 'promotion'])
    if (engine === undefined || engine.storage.readersHoldViews || promotion?.kind !== 'map') continue
    for (const { key } of promotion.entries) {
      if (key.value !== 'blockers' && key.value !== 'wait') continue
      const at = `environments.${name}.promotion.${key.value}`
      const message = `"${at}" means nothing here: a promotion on ${engine.label} waits for no reader`
      refuse(reading, key, message, 'Take it out, or check the warehouse of the environment.', 'unknown-key')
    }
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
