/**
 * Runs the official MCP Inspector against `svc mcp` in a project of its own: node scripts/mcp-inspector.mjs
 * It brings a web page and its server, too much for every installation of this repository: npm puts it into a temporary folder.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inspector = '@modelcontextprotocol/inspector@2.12.0'
const svc = join(import.meta.dirname, '../cli/bin/svc.cjs')

const calls = [
  { says: 'tools', args: ['--method', 'tools/list'], holds: value => value.tools.length === 20 },
  { says: 'resources', args: ['--method', 'resources/list'], holds: value => value.resources.length > 5 },
  {
    says: 'templates',
    args: ['--method', 'resources/templates/list'],
    holds: value => value.resourceTemplates.length === 1,
  },
  {
    says: 'a resource',
    args: ['--method', 'resources/read', '--uri', 'svc://asset/customers'],
    holds: value => value.contents[0].text.includes('name: customers'),
  },
  { says: 'prompts', args: ['--method', 'prompts/list'], holds: value => value.prompts.length === 4 },
  {
    says: 'a prompt',
    args: ['--method', 'prompts/get', '--prompt-name', 'fix', '--prompt-args', 'asset=customers'],
    holds: value => value.messages.length === 1,
  },
  {
    says: 'a look',
    args: ['--method', 'tools/call', '--tool-name', 'get_asset', '--tool-arg', 'asset=customers'],
    holds: value => value.structuredContent.sha256.length === 64,
  },
  {
    says: 'a preview',
    args: ['--method', 'tools/call', '--tool-name', 'preview', '--tool-arg', 'select=customers'],
    holds: value => value.structuredContent.kind === 'preview',
  },
]

const folder = mkdtempSync(join(tmpdir(), 'svc-inspector-'))
try {
  const project = join(folder, 'project')
  mkdirSync(join(project, 'models'), { recursive: true })
  writeFileSync(join(project, 'svc.yaml'), 'name: inspected\n')
  writeFileSync(
    join(project, 'models/customers.svc'),
    'name: customers\ningest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}\n',
  )
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', inspector], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const command = join(folder, 'node_modules/.bin/mcp-inspector')
  for (const { says, args, holds } of calls) {
    const server = ['--cli', process.execPath, svc, 'mcp', '--allow-write']
    const text = execFileSync(process.execPath, [command, ...server, ...args], {
      cwd: project,
      encoding: 'utf8',
    })
    if (!holds(JSON.parse(text))) throw new Error(`${says}: ${text.slice(0, 2000)}`)
    process.stdout.write(`ok  ${says}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
