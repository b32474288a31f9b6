/** Which servers for agents a workspace has: `svc mcp`, once a project. */
import { invocationOf } from '../bundled-cli.ts'

export interface ServedProject {
  readonly name: string
  /** The launcher of its svc. */
  readonly cli: string
  /** The path of its folder. */
  readonly folder: string
  readonly environment: string
  readonly allowsWriting: boolean
  readonly variables: Readonly<Record<string, string>>
}

/** Nothing starts in a workspace that nobody trusts: `svc mcp` opens warehouses and reads variables. */
export function serverFacts(projects: readonly ServedProject[], isTrusted: boolean) {
  if (!isTrusted) return []
  return projects.map(project => {
    const { name, cli, folder, environment, allowsWriting, variables } = project
    const words = ['mcp', '--env', environment, ...(allowsWriting ? ['--allow-write'] : [])]
    const isAlone = projects.every(other => other === project || other.name !== name)
    return {
      ...invocationOf(cli, words, { cwd: folder, env: variables }),
      // What a person tells servers apart by.
      label: isAlone ? `svc: ${name}` : `svc: ${name} (${folder})`,
    }
  })
}
