export declare function startExampleServer(options?: {
  readonly port?: number
  readonly busyOnce?: boolean
}): Promise<{
  readonly url: string
  readonly requests: readonly string[]
  readonly close: () => Promise<void>
}>
