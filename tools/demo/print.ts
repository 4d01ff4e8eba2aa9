let steps = 0
let write = console.log

export const print = (line: string): void => write(line)

/** The steps go to standard error from now on: standard output has the result alone. */
export function printToStandardError(): void {
  write = console.error
}

export function step(title: string): void {
  steps += 1
  print(`\n${String(steps).padStart(2)}. ${title}`)
}

export const money = (amount: number): string => `${amount.toFixed(2)} AED`
