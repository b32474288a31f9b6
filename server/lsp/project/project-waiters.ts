/** What requests about a project wait for: the file that is typed in, the open files, the SQL of all, everything. */
import { Waiters } from './waiters.ts'

export class ProjectWaiters {
  /** Done when the file that is typed in is checked; other open files may wait for much that they read. */
  readonly typed = new Waiters()
  readonly open = new Waiters()
  /** Done when the SQL of all files is checked; unit tests may still run. */
  readonly sql = new Waiters()
  readonly all = new Waiters()

  /** All open files are checked, and so is the one that is typed in. */
  openDone(version: number): void {
    this.typed.done(version)
    this.open.done(version)
  }

  /** Nothing is waited for any more. */
  release(version: number): void {
    this.openDone(version)
    this.sql.done(version)
    this.all.done(version)
  }
}
