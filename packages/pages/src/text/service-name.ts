/** What people call a service; its key if it has no name. */
export function serviceName({ key, displayName }: { readonly key: string; readonly displayName: string }): string {
  return displayName.trim() === '' ? key : displayName;
}
