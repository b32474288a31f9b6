/**
 * Finds in valid JSON what `JSON.parse` lets pass: a member that is there twice (the last one would win, and two readers
 * of one body would see different things) and nesting so deep that working with the value overflows the stack.
 */
export type JsonFault = {
    readonly kind: 'depth';
    readonly offset: number;
} | {
    readonly kind: 'duplicate';
    readonly pointer: string;
    readonly offset: number;
};
/** The first fault of a text that `JSON.parse` accepts. @param mostDepth nested lists and objects; 0: any depth */
export declare function findJsonFault(text: string, mostDepth: number): JsonFault | undefined;
