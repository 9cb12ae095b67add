<?php

$shop = new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: 'shop.db'));
// In your shop, count the paid orders.
echo $shop->query("SELECT count(*) FROM seen WHERE event = 'payment.success'")->fetchColumn();
