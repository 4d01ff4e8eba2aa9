/** The functions of identifications that verification uses. */

export {
  hasStoredDocuments,
  type IdentificationRow as Document,
  identificationsOf as documentsOf,
  reviewIdentification,
} from '#issuing/identifications/identifications.ts'
