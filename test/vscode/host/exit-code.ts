import { type Task, tasks } from 'vscode'

/** Runs a task to its end. */
export async function exitCodeOf(task: Task): Promise<number | undefined> {
  const ended = new Promise<number | undefined>(resolve => {
    const listening = tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name !== task.name) return
      listening.dispose()
      resolve(exitCode)
    })
  })
  await tasks.executeTask(task)
  return ended
}
