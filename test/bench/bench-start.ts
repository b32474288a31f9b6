/** What the start of a command costs, beside the start of Node alone. */
import { type Bench, nodeProgram, svcProgram, take } from './bench.ts'

const often = 15

/** Taken in every call: other goals add the start on top of their floor. */
export async function benchNode(bench: Bench): Promise<void> {
  const program = nodeProgram(bench, bench.root, ['-e', '0'])
  await take(bench, { id: 'node', work: '`node -e 0`', tool: 'floor', repeat: often, program })
}

export async function benchStart(bench: Bench): Promise<void> {
  await take(bench, {
    id: 'version',
    work: '`svc --version`',
    repeat: often,
    program: svcProgram(bench, bench.root, ['--version']),
    floor: 'node',
    goal: { times: 1.6, of: 'node' },
  })
  await take(bench, {
    id: 'help',
    work: '`svc --help`, the whole program loaded',
    repeat: often,
    program: svcProgram(bench, bench.root, ['--help']),
    floor: 'node',
  })
}
