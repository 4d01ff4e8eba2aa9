import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

export async function migrate(client: pg.ClientBase, folder: string): Promise<void> {
  for (const name of readdirSync(folder)
    .filter((file) => /^\d{4}_/.test(file))
    .sort()) {
    await client.query(`begin; ${readFileSync(`${folder}/${name}`, 'utf8')}; commit;`)
  }
}
