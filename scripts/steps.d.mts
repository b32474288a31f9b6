export declare function countTests(report: string): { readonly passed: number; readonly failed: number }
