# 방송 오버레이의 그림에 쓰는 글: 짧게

overlay-pot = 모인 판돈
overlay-at-stake = 걸린 판돈
overlay-count-of = { $all }명 중 { $count }명
overlay-nobody-won = 이번엔 딴 사람이 없어요
overlay-called-off = 취소됐어요. 판돈은 돌려드렸어요
overlay-in-pot = 모인 판돈 { $amount }
overlay-chosen = 골랐어요
overlay-round = 라운드 { $round }/{ $rounds }
overlay-of = { $count }/{ $all }장
overlay-points = { $points }점
overlay-leads = 선두 { $name }: { $points }점
overlay-takes = { $name }: { $points }점 획득
overlay-draw = 비겼어요. 판돈은 돌려드려요
overlay-kept = 챙긴 카드
overlay-cards-left = { $count }장 남음

overlay-you-won = { $amount }만큼 땄어요
overlay-you-even = 판돈이 돌아왔어요. 지금 { $credits } 있어요
overlay-you-lost = { $amount }만큼 잃었어요. { $credits } 남았어요
overlay-you-caught = 붙잡혔어요. { $credits } 남았어요

overlay-sixcard-accept = { $name }: !sixcard accept
overlay-sixcard-high = 하이
overlay-sixcard-middle = 미들
overlay-sixcard-low = 로우
overlay-highshow-lowest = 가장 낮은 카드
overlay-highshow-best = 최선의 플레이
overlay-highshow-kept = { $name }: 챙긴 카드
overlay-market-turn = { $name }: 내 차례예요
overlay-market-offers = { $name }: 내놓는 카드
overlay-market-answers = { $name }: !accept 또는 !decline
overlay-market-closed = 시장이 닫혔어요

overlay-heist-join = !heist 치고 합류하세요
overlay-heist-decided = 결정했어요
overlay-heist-stakes = 판돈 { $amount }
overlay-heist-in = { $count }명이 함께 들어가요
overlay-heist-in-alone = { $name } 님 혼자 들어가요
overlay-heist-in-some = { $all }명 중 { $count }명이 들어가요
overlay-heist-away = { $all }명 중 { $count }명 탈출
overlay-heist-back = 빠짐
overlay-heist-cross = 배신이다!
overlay-heist-group-returned = 빠짐
overlay-heist-group-caught = 잡힘
overlay-heist-group-escaped = 탈출
overlay-heist-bank-0 = { heist-bank-0 }
overlay-heist-bank-1 = { heist-bank-1 }
overlay-heist-bank-2 = { heist-bank-2 }
overlay-heist-bank-3 = { heist-bank-3 }
overlay-heist-bank-4 = { heist-bank-4 }
overlay-heist-look = { heist-look }
