/** Runs `svc-hosted <words>` in this process, and keeps what it says. */
import { runCommandLine } from '../../../hosted-api/commands/run-command-line.ts'

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export async function svcHosted(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await runCommandLine(words, '0.0.0', {
    environment,
    clock: () => new Date(),
    say: line => out.push(line),
    warn: line => err.push(line),
    interrupted: Promise.resolve(),
  })
  return { code, stdout: out.join('\n'), stderr: err.join('\n') }
}
