export declare function countTests(report: string): {
  readonly passed: number
  readonly failed: number
  /** Which tests failed, each with the first line of its reason. */
  readonly names?: readonly string[]
}
