/** Every suite that runs in the extension host, by the window that it needs (see run-host.mjs). */
export const suites: Readonly<Record<string, () => Promise<unknown>>> = {
  async project() {
    await import('./activation.suite.ts')
    await import('./language.suite.ts')
    await import('./edits.suite.ts')
    await import('./compiled-sql.suite.ts')
    await import('./tasks.suite.ts')
    await import('./commands.suite.ts')
    await import('./settings.suite.ts')
    await import('./tests.suite.ts')
    await import('./agents.suite.ts')
    await import('./server.suite.ts')
  },
  untrusted: () => import('./untrusted.suite.ts'),
  folders: () => import('./folders.suite.ts'),
}
