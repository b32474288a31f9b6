export declare const exampleData: readonly string[]
export declare function dataFile(name: string): string
export declare function copyExample(folder: string): void
export declare function copyData(folder: string): void
