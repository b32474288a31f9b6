/** Metrics for Prometheus (`GET /metrics`). */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Seen } from '../http/index.ts'
import { remember } from '../http/remember.ts'

export interface Metrics {
  observe(seen: Seen): void
  /** Returns the text for Prometheus. */
  read(): Promise<string>
  readonly contentType: string
}

export interface Gauges {
  /** Returns the number of requests in progress. */
  readonly inFlight: () => number
  /** Left out: long questions have no processes of their own. */
  readonly questions?: (() => QuestionNumbers) | undefined
}

type QuestionNumbers = Readonly<Record<'processes' | 'running' | 'waiting' | 'answered' | 'failed', number>>

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** How often the delay of the event loop is looked at: each look wakes an idle process. */
const lookAtLoopMs = 500

/** Requests without a route share one label, because a label per path would let strangers fill the memory. */
const unrouted = 'none'

export function createMetrics(gauges: Gauges, version: string): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lookAtLoopMs })
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'Requests by operation and status.',
    labelNames: ['route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'From the headers of a request to the last byte of its answer.',
    labelNames: ['route'],
    buckets,
    registers,
  })
  const sent = new Counter({
    name: 'svc_http_sent_bytes_total',
    help: 'Bytes of bodies that were sent.',
    registers,
  })
  const version_ = new Gauge({
    name: 'svc_info',
    help: 'The version that runs.',
    labelNames: ['version'],
    registers,
  })
  version_.labels(version).set(1)
  gauge(registers, 'svc_http_requests_in_flight', 'Requests that are being answered.', gauges.inFlight)
  if (gauges.questions !== undefined) questionGauges(registers, gauges.questions)

  // Looking labels up by their hash would cost more than counting.
  const counted = remember((key: string) => {
    const [route = unrouted, status = ''] = key.split(' ')
    return requests.labels(route, status)
  })
  const timed = remember((route: string) => durations.labels(route))
  return {
    contentType: registry.contentType,
    read: () => registry.metrics(),
    observe({ route, status, seconds, bytes }) {
      const name = route?.id ?? unrouted
      counted(`${name} ${status}`).inc()
      timed(name).observe(seconds)
      sent.inc(bytes)
    },
  }
}

function questionGauges(registers: Registry[], read: () => QuestionNumbers): void {
  const add = (name: string, help: string, of: (numbers: QuestionNumbers) => number) =>
    gauge(registers, name, help, () => of(read()))
  add('svc_questions_answered', 'Long questions that such processes have answered.', each => each.answered)
  add('svc_question_processes', 'Processes that answer long questions.', each => each.processes)
  add('svc_questions_running', 'Long questions in these processes.', each => each.running)
  add('svc_questions_waiting', 'Long questions that wait for room in one.', each => each.waiting)
  add(
    'svc_question_process_failures',
    'Such processes that ended by themselves or were killed.',
    each => each.failed,
  )
}

function gauge(registers: Registry[], name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read())
    },
  })
}
