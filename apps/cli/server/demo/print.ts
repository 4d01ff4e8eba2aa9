import { note, print as toOutput } from '../../kit/print.ts'

let steps = 0
let write = toOutput

export const print = (line: string): void => write(line)

/** The steps go to standard error from now on: standard output has the result alone. */
export function printToStandardError(): void {
  write = note
}

export function step(title: string): void {
  steps += 1
  print(`\n${String(steps).padStart(2)}. ${title}`)
}

export const money = (amount: number): string => `${amount.toFixed(2)} AED`
