export default async function stopStack() {
  await globalThis.vaultsvcStack?.stop();
}
