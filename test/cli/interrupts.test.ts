/** Ctrl-C and SIGTERM: at once where nothing is held, in order where something is. */
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createInterrupts } from '../../cli/commands/interrupts.ts'
import { createProject } from '../support/cli.ts'

class FakeProcess extends EventEmitter {
  said = ''
  readonly stderr = {
    write: (text: string) => {
      this.said += text
    },
  }

  get listening(): number {
    return this.listenerCount('SIGINT') + this.listenerCount('SIGTERM')
  }
}

describe('an interrupt', () => {
  it('is left to the system unless something is guarded', async () => {
    const fake = new FakeProcess()
    const { signal, guard } = createInterrupts(fake, () => undefined)
    expect(fake.listening).toBe(0)
    const inner = guard(() => guard(async () => fake.listening))
    expect(fake.listening).toBe(2)
    expect(await inner).toBe(2)
    expect(fake.listening).toBe(0)
    await expect(guard(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(fake.listening).toBe(0)
    expect(signal.aborted).toBe(false)
  })

  it('asks guarded work to stop, and ends the process when it comes again', async () => {
    const fake = new FakeProcess()
    let exits = 0
    const { signal, guard } = createInterrupts(fake, () => {
      exits++
    })
    await guard(async () => {
      fake.emit('SIGTERM')
      expect(signal.aborted).toBe(true)
      expect(fake.said).toBe('\nStopping; press Ctrl-C again to stop at once.\n')
      expect(exits).toBe(0)
      fake.emit('SIGINT')
      expect(exits).toBe(1)
    })
  })
})

/** Reading and checking this file takes seconds. */
const large = `name: large
ingest:
  type: rows
  rows:
${Array.from({ length: 200_000 }, (_, index) => `    - {id: ${index}}`).join('\n')}
transform: SELECT id FROM {{ source }}
`

describe.skipIf(process.platform === 'win32')('in the middle of reading a file', () => {
  it.each([
    ['SIGINT', 'validate'],
    ['SIGTERM', 'validate'],
    ['SIGINT', 'run'],
  ] as const)('%s ends svc %s at once', async (signal, command) => {
    const project = createProject({ 'svc.yaml': 'name: slow\n', 'models/large.svc': large })
    try {
      const ended = project.svc([command], {
        onStart: child => setTimeout(() => child.kill(signal), 700),
      })
      // Ended by the signal itself, before a word was said.
      expect(await ended).toEqual({ code: null, stdout: '', stderr: '' })
    } finally {
      project.dispose()
    }
  })
})
