let steps = 0

export const print = (line: string): void => console.log(line)

export function step(title: string): void {
  steps += 1
  print(`\n${String(steps).padStart(2)}. ${title}`)
}

export const money = (amount: number): string => `${amount.toFixed(2)} AED`
