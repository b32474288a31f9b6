/** `svc agents`: writes what agents have to know of the project into `AGENTS.md`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { guideOf, guidePath, withGuide } from '../engine/agents/guide.ts'
import { writeWhole } from '../engine/artifacts/write-file.ts'
import { type AgentsOutput, renderAgents } from '../render/agents.ts'
import { type Command, jsonOption } from './command.ts'

export const agentsCommand: Command = {
  name: 'agents',
  brief: 'AGENTS.md: the conventions of the project',
  summary:
    'Write the conventions of the project into AGENTS.md, for coding agents; your own text in it stays.',
  arguments: [],
  options: [
    { name: 'check', summary: 'write nothing; fail if the file is not as it would be' },
    { name: 'no-write', summary: 'print the text, write nothing' },
    jsonOption,
  ],
  examples: [
    { line: 'svc agents', says: 'write or renew its part of AGENTS.md' },
    { line: 'svc agents --check', says: 'for CI: is it as the project is now?' },
  ],
  exitCodes: {
    0: 'written, or as it should be',
    1: 'with --check: not as it would be',
    2: 'wrong usage or no project',
    3: 'the file cannot be written',
  },
  async run({ options, world, openWorkspace }) {
    const workspace = await openWorkspace({ readSources: false })
    const path = join(workspace.root, guidePath)
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    const guide = guideOf(workspace.project)
    const text = withGuide(before, guide)
    const writes = !options.flag('check') && !options.flag('no-write')
    if (writes) writeWhole(path, text, world.pid)
    const status = text === before ? 'unchanged' : writes ? 'written' : 'outdated'
    const json: AgentsOutput = { path: guidePath, status, text: guide }
    return {
      exitCode: options.flag('check') && status === 'outdated' ? 1 : 0,
      text: style => (options.flag('no-write') ? guide.trimEnd().split('\n') : renderAgents(json, style)),
      json,
    }
  },
}
