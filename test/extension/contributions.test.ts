/** The names that the code uses and those that package.json promises. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  commandIds,
  contextKeys,
  languageId,
  settingNames,
  taskType,
  viewIds,
} from '../../extension/contributions.ts'
import { lensCommands } from '../../server/lsp/protocol.ts'
import { createGround } from '../cli/bad-input/command-line.ts'
import { shop } from '../cli/shop-project.ts'

const folder = join(import.meta.dirname, '..', '..', 'extension')

interface MenuEntry {
  readonly command?: string
  readonly submenu?: string
  readonly when?: string
}

interface Manifest {
  readonly activationEvents: readonly string[]
  readonly icon: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string
      readonly restrictedConfigurations: readonly string[]
    }
    readonly virtualWorkspaces: { readonly supported: boolean; readonly description: string }
  }
  readonly contributes: {
    readonly languages: readonly {
      readonly id: string
      readonly configuration: string
      readonly icon: object
    }[]
    readonly grammars: readonly { readonly path: string }[]
    readonly snippets: readonly { readonly path: string }[]
    readonly commands: readonly {
      readonly command: string
      readonly title: string
      readonly category: string
      readonly enablement?: string
    }[]
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>
    readonly keybindings: readonly { readonly command: string }[]
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] }
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[]
    readonly taskDefinitions: readonly { readonly type: string }[]
    readonly problemMatchers: readonly { readonly pattern: { readonly regexp: string } }[]
    readonly configuration: {
      readonly properties: Readonly<
        Record<
          string,
          { readonly description?: string; readonly markdownDescription?: string; readonly scope: string }
        >
      >
    }
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly media: { readonly svg: string }
        readonly description: string
        readonly completionEvents?: readonly string[]
      }[]
    }[]
    readonly configurationDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
}

const text = readFileSync(join(folder, 'package.json'), 'utf8')
const manifest = JSON.parse(text) as Manifest
const { contributes } = manifest
const promised = contributes.commands.map(({ command }) => command)

/** Commands that only read, or only change the editor. */
const harmless = [
  // Its key would insert a line if it were off: it says itself that nothing runs.
  'svc.previewRows',
  'svc.showCompiledSql',
  'svc.openLineage',
  'svc.pickEnvironment',
  'svc.showRuns',
  'svc.showRunning',
  'svc.openLog',
  'svc.openFailure',
  'svc.openWalkthrough',
  'svc.restartServer',
  'svc.showOutput',
]

describe('package.json', () => {
  it('promises exactly the commands that there are', () => {
    expect([...promised].sort()).toEqual(Object.values(commandIds).sort())
  })

  it('and each of them is registered', () => {
    const registered = readdirSync(join(folder, 'commands'))
      .map(name => readFileSync(join(folder, 'commands', name), 'utf8'))
      .join('\n')
    const keys = Object.keys(commandIds).filter(key => !registered.includes(`commandIds.${key}`))
    expect(keys).toEqual([])
  })

  it('has the commands that code lenses name', () => {
    expect(Object.values(lensCommands).filter(id => !promised.includes(id))).toEqual([])
  })

  it('has the views, settings and context keys of the code', () => {
    const views = Object.values(contributes.views).flatMap(list => list.map(({ id }) => id))
    expect(views.sort()).toEqual(Object.values(viewIds).sort())
    const settings = Object.keys(contributes.configuration.properties).filter(
      name => name !== 'svc.trace.server',
    )
    const named = Object.values(settingNames).map(name => `${languageId}.${name}`)
    expect(settings.sort()).toEqual(named.sort())
    for (const key of Object.values(contextKeys)) expect(text).toContain(key)
    expect(contributes.languages.map(({ id }) => id)).toEqual([languageId])
    expect(contributes.taskDefinitions.map(({ type }) => type)).toEqual([taskType])
  })

  it('describes every setting and says where it holds', () => {
    for (const [name, setting] of Object.entries(contributes.configuration.properties)) {
      expect(setting.description ?? setting.markdownDescription, name).toMatch(/\.$/)
      expect(setting.scope, name).toMatch(/^(resource|window)$/)
    }
  })

  it('names only commands, views and submenus that are there', () => {
    const entries = Object.values(contributes.menus).flat()
    const used = [...entries, ...contributes.keybindings].flatMap(({ command }) => command ?? [])
    const links = [
      ...contributes.viewsWelcome.map(({ contents }) => contents),
      ...steps().map(step => step.description),
    ]
      .flatMap(contents => [...contents.matchAll(/\(command:([\w.]+)/g)])
      .map(match => match[1] ?? '')
      .filter(id => id.startsWith('svc.'))
    expect([...used, ...links].filter(id => !promised.includes(id))).toEqual([])
  })

  it('names only files that are there', () => {
    const files = [
      manifest.icon,
      ...contributes.languages.flatMap(({ configuration, icon }) => [configuration, ...Object.values(icon)]),
      ...contributes.grammars.map(({ path }) => path),
      ...contributes.snippets.map(({ path }) => path),
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...steps().map(({ media }) => media.svg),
    ].map(String)
    expect(files.filter(file => !existsSync(join(folder, file)))).toEqual([])
  })

  it('starts only where there is a project or a file of the language', () => {
    expect(manifest.activationEvents).toEqual(['workspaceContains:**/svc.yaml'])
  })
})

describe('what is done with an asset', () => {
  const verbs = [
    'svc.runAsset',
    'svc.runWithUpstreams',
    'svc.runWithDownstreams',
    'svc.previewAsset',
    'svc.testAsset',
    'svc.rollbackAsset',
    'svc.promote',
  ]

  it.each(['editor/title/run', 'svc.explorer', 'view/item/context'])('stands in %s', menu => {
    const own = (contributes.menus[menu] ?? []).filter(({ when }) => when?.includes('svc.runs') !== true)
    const offered = own.map(({ command }) => command)
    expect(verbs.filter(verb => !offered.includes(verb))).toEqual([])
  })

  it('stands in the palette', () => {
    const hidden = (contributes.menus['commandPalette'] ?? []).map(({ command }) => command)
    expect(verbs.filter(verb => hidden.includes(verb) || !promised.includes(verb))).toEqual([])
  })
})

describe('what leaves the machine', () => {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !/(^|[\\/])(node_modules|dist)[\\/]/.test(path))
    .map(path => ({ path: path.replaceAll('\\', '/'), source: readFileSync(join(folder, path), 'utf8') }))

  it('is nothing: no telemetry, and nothing that could send any', () => {
    expect(sources.length).toBeGreaterThan(40)
    const imported = sources.flatMap(({ path, source }) =>
      [...source.matchAll(/^import (?!type ).*from '([^'.][^']*)'/gm)].map(([, name = '']) => ({
        path,
        name,
      })),
    )
    const senders = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'undici'].flatMap(name => [
      name,
      `node:${name}`,
    ])
    // The one that asks the dashboard which it has itself started, on this machine.
    const own = [{ path: 'lineage/dashboard-process.ts', name: 'node:http' }]
    expect(imported.filter(({ name }) => senders.includes(name))).toEqual(own)
    for (const { source } of sources)
      expect(source).not.toMatch(/telemetry|\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket/i)
    expect(Object.keys(manifest.dependencies)).toEqual(['vscode-languageclient'])
  })
})

describe('a workspace without a disk', () => {
  it('is told that it is not supported, and why', () => {
    const { supported, description } = manifest.capabilities.virtualWorkspaces
    expect(supported).toBe(false)
    expect(description).toContain('disk')
  })
})

describe('the problem matcher', () => {
  it('reads every line of svc validate --format lines', async () => {
    const ground = createGround({
      ...shop,
      'models/a b.svc':
        'name: wrong\ningest: none\ntransform: SELECT nothing FROM orders, {{ ref("ordres") }}\nx: 1\n',
    })
    try {
      const said = await ground.line(['validate', '--format', 'lines'])
      const regexp = new RegExp(contributes.problemMatchers[0]?.pattern.regexp ?? '^$')
      const lines = said.stdout.trimEnd().split('\n')
      expect(lines.length).toBeGreaterThan(1)
      for (const line of lines) expect(line).toMatch(regexp)
      expect(regexp.exec(lines[0] ?? '')?.slice(1, 5)).toEqual([
        'models/a b.svc',
        '3',
        expect.any(String),
        'error',
      ])
      expect(said.code).toBe(1)
    } finally {
      ground.dispose()
    }
  })
})

describe('the Explorer', () => {
  it('does not show what svc itself writes beside the files of a project', () => {
    const hidden = contributes.configurationDefaults['files.exclude']
    expect(Object.keys(hidden ?? {}).sort()).toEqual([
      '**/*.duckdb',
      '**/*.duckdb.lease',
      '**/*.duckdb.wal',
      '**/.svc',
      '**/svc_catalog.json',
    ])
    expect(Object.values(hidden ?? {})).toEqual([true, true, true, true, true])
  })
})

describe('the walkthrough', () => {
  it('ticks what a project that is opened has behind it', () => {
    const ticks = steps().flatMap(({ completionEvents }) => completionEvents ?? [])
    expect(ticks).toEqual(
      expect.arrayContaining([
        `onContext:${contextKeys.hasProject}`,
        `onContext:${contextKeys.hasAssets}`,
        `onContext:${contextKeys.hasRun}`,
      ]),
    )
  })
})

describe('a workspace that is not trusted', () => {
  it('runs nothing: every command that starts svc is off', () => {
    const open = contributes.commands.filter(
      ({ enablement }) => enablement?.includes('isWorkspaceTrusted') !== true,
    )
    expect(open.map(({ command }) => command).sort()).toEqual([...harmless].sort())
  })

  it('cannot say by its settings what programs are given', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces
    expect(supported).toBe('limited')
    expect(restrictedConfigurations).toEqual(
      expect.arrayContaining(['svc.env', 'svc.envFile', 'svc.environment']),
    )
  })
})

function steps() {
  return contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps)
}
