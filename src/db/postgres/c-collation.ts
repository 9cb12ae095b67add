import {
  type ColumnDefinitionNode,
  DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';

/**
 * Makes every text column of a migration compare by its bytes, as SQLite's do: pages by id come in one order on both
 * engines, look-ups cost less, and an update of the system's language data cannot break an index.
 */
export class BytewiseText implements KyselyPlugin {
  readonly #transformer = new Transformer();

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(args.node);
  }

  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result;
  }
}

class Transformer extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode): ColumnDefinitionNode {
    const { dataType } = node;
    const isText = DataTypeNode.is(dataType) && dataType.dataType === 'text';
    return super.transformColumnDefinition(
      isText ? { ...node, dataType: RawNode.createWithSql('text collate "C"') } : node,
    );
  }
}
