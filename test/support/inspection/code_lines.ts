import { readFileSync } from 'node:fs'

/** How many lines of a file are code: neither empty nor a comment alone. */
export const linesOfCode = (path: string): number =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/\*|\*)/.test(line)).length
