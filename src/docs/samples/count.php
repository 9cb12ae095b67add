<?php

$shop = new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: 'shop.db'));
$shop->exec('CREATE TABLE IF NOT EXISTS seen (id TEXT, event TEXT, PRIMARY KEY (id, event))');
// In your shop, count the paid orders.
echo $shop->query("SELECT count(*) FROM seen WHERE event = 'payment.success'")->fetchColumn();
