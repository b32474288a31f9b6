/** `svc mcp`: the project for agents, over the Model Context Protocol on stdin and stdout (decisions 3). */
import { requireEnvironmentName } from '../engine/config/environment.ts'
import { findProject } from '../engine/config/find-project.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import type { RunCommand } from '../mcp/command-runner.ts'
import { type Command, type CommandContext, environmentOption } from './command.ts'

export const mcpCommand: Command = {
  name: 'mcp',
  brief: 'the project for agents, over MCP',
  summary:
    'Serve agents over the Model Context Protocol on stdin and stdout: read-only unless --allow-write is given.',
  arguments: [],
  options: [
    { ...environmentOption, summary: 'environment that tools read, and build previews in' },
    { name: 'allow-write', summary: 'also tools that apply patches and build previews' },
  ],
  examples: [
    { line: 'svc mcp', says: 'what an editor or an agent starts' },
    { line: 'svc mcp --env prod', says: 'agents see what is live in prod' },
  ],
  exitCodes: { 0: 'the agent ended the session', 2: 'wrong usage or no project' },
  async run(context) {
    const { options, world, version, signal } = context
    findProject(world.cwd)
    const environment = options.text('env') ?? ''
    requireEnvironmentName(environment)
    const { serveAgent } = await import('../mcp/serve-stdio.ts')
    const serving = {
      run: await runner(context),
      version,
      environment,
      allowsWriting: options.flag('allow-write'),
    }
    await serveAgent(serving, signal)
    return { exitCode: 0, text: () => [] }
  },
}

/** Returns what runs a command line in this process, and keeps what it prints and what of that is personal. */
export async function runner({
  version,
  world,
}: Pick<CommandContext, 'version' | 'world'>): Promise<RunCommand> {
  const { runCommandLine } = await import('./run-command-line.ts')
  const { personalValues } = await import('../engine/agents/personal-values.ts')
  return async (words, signal) => {
    const said = { stdout: '', stderr: '' }
    const into = (key: keyof typeof said) => ({
      write(text: string) {
        said[key] += text
      },
    })
    const [out, err] = [into('stdout'), into('stderr')]
    const personal = new Set<string>()
    const onOpen = async (workspace: OpenedWorkspace) => {
      for (const value of await personalValues(workspace)) personal.add(value)
    }
    const surroundings = { version, world, signal, out, err, onOpen, isOnlyInside: true }
    const exitCode = await runCommandLine(words, surroundings)
    return { exitCode, ...said, personal }
  }
}
