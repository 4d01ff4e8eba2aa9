/** What verification needs of identifications, in one place. */

export {
  hasStoredDocuments,
  type IdentificationRow as Document,
  identificationsOf as documentsOf,
  reviewIdentification,
} from '#issuing/identifications/identifications.ts'
