import { ChatPage } from './chat/chat-page.client.ts';
import { Directory, type DirectoryEntries } from './chat/directory.client.ts';
import { showInstallations } from './installations.client.ts';
import { read } from './page-server.client.ts';

const INSTALL = `curl -s "$api/apps/chatapp/oauth/callback" -H "$auth" -H "$json" \\
  -d '{"code":"local-ok-1","redirect_uri":"https://app.example.com/callback"}'`;

await showInstallations(INSTALL, async (stage, workspaces) => {
  const directory = new Directory(await read<DirectoryEntries>('/_people'));
  await new ChatPage(stage, workspaces, directory).keepCurrent();
});
