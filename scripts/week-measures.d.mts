export type Taken = Readonly<
  Partial<Record<'megabytes' | 'descriptors' | 'children' | 'files' | 'kilobytes', number>>
>
export declare function processNow(pid: number): Taken
export declare function filesNow(path: string): Taken
export declare function growths(steps: readonly Readonly<Record<string, Taken>>[]): readonly string[]
export declare function switchesOf(pid: number): number
export declare function descendantsOf(pid: number): readonly number[]
