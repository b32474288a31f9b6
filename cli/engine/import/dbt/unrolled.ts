/** What a template is unrolled to, and with what. */
import type { Site } from '../jinja/problem.ts'
import type { Config } from './config.ts'
import type { DbtPackage } from './packages.ts'

export interface Unrolled {
  /** SQL with svc's tags. */
  readonly sql: string
  /** The assets that it reads. */
  readonly reads: ReadonlySet<string>
  /** Where it reads its own table; undefined if it does not. */
  readonly readsItself: Site | undefined
}

export interface UnrollOptions {
  readonly of: DbtPackage
  /** What `config(…)` sets and `config.get` reads. */
  readonly config?: Config
  /** Its own name, as `model.name` and `this.name` say it. */
  readonly name?: string
}
