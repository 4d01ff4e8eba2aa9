export async function startEmbedded(
  _options: object,
): Promise<{ url: string; stop: () => Promise<void> }> {
  throw new Error('set DATABASE_URL')
}
