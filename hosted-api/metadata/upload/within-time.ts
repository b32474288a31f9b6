import { tookTooLong } from '../../http/pace.ts'
import type { PackJob } from './pack-job.ts'

/**
 * The same job with a limit of time for all of its calls together, from now on. Who gets the refusal ends the job, and
 * with it the thread that still works.
 * @param seconds 0 means no limit
 */
export function withinTime(job: PackJob, seconds: number): PackJob {
  if (seconds === 0) return job
  const end = performance.now() + seconds * 1000
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    const left = end - performance.now()
    if (left <= 0) throw tookTooLong(seconds, 'job-timeout')
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tookTooLong(seconds, 'job-timeout')), left)
    })
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    read: input => limited(() => job.read(input)),
    know: nodes => limited(() => job.know(nodes)),
    compare: () => limited(() => job.compare()),
    columnChanges: before => limited(() => job.columnChanges(before)),
    breaches: policies => limited(() => job.breaches(policies)),
    graph: () => limited(() => job.graph()),
    slice: () => limited(() => job.slice()),
    end: () => job.end(),
  }
}
