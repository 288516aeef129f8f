import { origin, Setting, StatefulConfig } from '@vaultsvc/config';

export class VaultsConfig extends StatefulConfig {
  @Setting(origin, 'Public origin of Forge: where uploads and downloads are sent.')
  FORGE_ORIGIN: string;
}
