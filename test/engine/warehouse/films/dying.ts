/** Ends a process without a word at a statement of a step, as a machine that loses its power would. */
import pg from 'pg'

export interface Death {
  readonly step: Step
  /** Which statement of the step, from 1 on. */
  readonly nth: number
  readonly moment: (typeof moments)[number]
}

/** Before the statement is sent, when it is sent and not answered, and when it is answered. */
export const moments = ['before', 'during', 'after'] as const

/** What is sent in each step. Those that follow `promote` go by pointer, past a reader in their way, except `commit`. */
const statements = {
  load: /^\s*COPY\b/,
  build: /CREATE TABLE[^;]* AS\b/,
  record: /INSERT INTO "svc"\."svc_builds"/,
  test: /^-- test/,
  promote: /INSERT INTO "svc"\."svc_live"/,
  commit: /^COMMIT/,
  prepare: /INSERT INTO "svc"\."svc_pointed_views"/,
  flip: /INSERT INTO "svc"\."svc_live"/,
  land: /^COMMIT/,
  settle: /DELETE FROM "svc"\."svc_pointed_views"/,
}

export type Step = keyof typeof statements
export const steps = Object.keys(statements) as readonly Step[]

/** The way by pointer begins with this statement. */
const pointing = /^SELECT pg_advisory_lock\(/

/** Steps that come after the way by pointer has begun, and after the generation has been moved in the transaction. */
const late: Readonly<Record<'pointing' | 'moved', ReadonlySet<Step>>> = {
  pointing: new Set(['flip', 'land']),
  moved: new Set(['commit', 'land']),
}

type Send = (this: pg.Client, ...given: unknown[]) => unknown

/** `onPointing` is called when a promotion goes by pointer. */
export function dieAt({ step, nth, moment }: Death, onPointing: () => void): void {
  const prototype = pg.Client.prototype as unknown as { query: Send }
  const send = prototype.query
  let seen = 0
  let isPointing = false
  let isMoved = false
  prototype.query = function (...given) {
    const text = textOf(given[0])
    if (pointing.test(text)) {
      isPointing = true
      onPointing()
    }
    if (/^ROLLBACK/.test(text)) isMoved = false
    const isReached = (isPointing || !late.pointing.has(step)) && (isMoved || !late.moved.has(step))
    const isLast = isReached && statements[step].test(text) && ++seen === nth
    if (statements.promote.test(text) && (isPointing || !late.pointing.has(step))) isMoved = true
    if (isLast && moment === 'before') die()
    const answer = send.apply(this, given)
    if (isLast && moment === 'during') setImmediate(die)
    if (isLast && moment === 'after') whenAnswered(answer)
    return answer
  }
}

/** A query is a text, an object with a text, or a stream that copies. */
function textOf(query: unknown): string {
  return typeof query === 'string' ? query : String((query as { text?: unknown } | undefined)?.text ?? '')
}

function whenAnswered(answer: unknown): void {
  if (answer instanceof Promise) void answer.then(die, die)
  else (answer as NodeJS.EventEmitter).once('finish', die)
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
