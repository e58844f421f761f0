# What is published of the odds

help-odds = 무엇을 얼마나 따고 잃는지, 확률과 환급률, 하우스가 가져간 몫을 알려줘요.
option-odds-game = 확률을 볼 게임
odds-line = { $game }: { $told }
odds-back = 가장 잘했을 때 판돈의 { $back }%가 돌아와요.
odds-back-shared = 판돈은 모두 플레이어에게 돌아가요.
odds-none = { $game }의 확률은 공개되지 않았어요.
odds-take = { $since ->
    [0] 지금까지
   *[other] 시즌 { $since }에
} 하우스가 { $credits }을 가져갔어요.
odds-paid = { $since ->
    [0] 지금까지
   *[other] 시즌 { $since }에
} 하우스가 가져간 것보다 { $credits } 더 내줬어요.

heist-odds-answers = 올인(!allin)은 가진 { currency } 전부에 { $loan }을 더한 금액을 걸고 수익만 받으며, 그 판의 월급은 없어요. 경비원과 정보로 내 확률과 수익을 차차 높일 수 있고, 배신자와 밀고자는 다른 사람이 딴 것을 가져가요.
heist-odds-lent = 올인(!allin)은 월급 대신 그만큼을 대출받아 걸어요. 경비원과 정보로 내 확률과 수익을 차차 높일 수 있고, 배신자와 밀고자는 다른 사람이 딴 것을 가져가요.
heist-odds-bounded = 누가 가져가는 돈은 다른 누가 딴 돈이에요. 배신자들은 남이 딴 돈의 { $percent }%까지, 한 명이 자기 판돈의 { $stakes }배까지 가져가요. 배신하지 않는 사람이 { $loyal }명은 있어야 하고, 지목당하면 자기 판돈의 { $fine }배를 벌금으로 내요.
heist-odds-wage = 끝까지 함께하면 월급으로 판돈의 { $percent }%{ $most ->
    [0] {""}
   *[other] (많아야 { $most })
  }를 받고, !allin은 그만큼을 대출로 받아요.
heist-odds-careers = 경비원과 정보를 한껏 써도 돌아오는 것은 많아야 { $back }%예요.
heist-odds-gift = 월급이 없으니 !allin의 대출은 공짜예요. 다른 { currency } 없이 { $stake }을 걸면 { $back }%가 돌아와요.
highshow-odds = 카드 { $cards }장 중 { $keep }장, 벌점 { $penalty }: 기준 점수 { $par }이면 판돈이 그대로 돌아오고, { $span } 높으면 두 배, { $span } 낮으면 모두 잃어요. 어떤 조건이든 가장 잘하면 길게 보아 100%가 돌아오고, 1 미만의 끝수는 하우스 몫이에요.
highshow-odds-honour = 카드 { $cards }장 중 { $keep }장, 벌점 { $penalty }: 명예만 걸 수 있어요. 더 작은 조건에서는 기준 점수면 판돈이 돌아오고, 가장 잘하면 길게 보아 100%가 돌아와요.
sixcard-odds = 하우스를 상대로 가장 잘하면(!set auto) 승리 { $win }%에 ×2, 무승부 { $draw }%에 판돈 반환, 패배 { $loss }%예요. 길게 보아 100%가 돌아오고, 그보다 나은 방법은 없어요.
sixcard-odds-duel = 결투에서는 이긴 사람이 판돈을 모두 가져가고, 하우스는 아무것도 가져가지 않아요.
chicken-odds = 모두 같은 금액을 걸고, 점수가 가장 높은 사람이 판돈을 모두 가져가요. 동점이면 나눠요. 100%가 플레이어에게 돌아가고, 하우스는 아무것도 가져가지 않아요.
chicken-odds-house = 하우스 플레이어의 { currency } 판돈은 하우스가 빌려준 것이에요. 그들에게서 딴 것도 내 것이에요.
market-odds = 모두 같은 금액을 걸고, 판돈은 점수에 비례해 나눠요. 100%가 플레이어에게 돌아가고, 하우스는 아무것도 가져가지 않아요.
market-odds-house = 하우스 플레이어의 { currency } 판돈은 하우스가 빌려준 것이에요. 그들에게서 딴 것도 내 것이에요.

# Warnings

guard-generous = 주의: 이제 { $game }에서 가장 잘하는 사람은 판돈의 { $back }%를 돌려받아요. 그러면 { currency } 가치가 떨어져요. !undo로 되돌릴 수 있어요.

# Confirmations

help-confirm = 봇이 확인을 요청한 일을 1분 안에 실행해요.
confirm-nothing = 확인할 일이 없거나 이미 시간이 지났어요.
confirm-ask = { $what } { $seconds }초 안에 !confirm 이라고 입력해 주세요.

# The end of a season

help-seasonend = 게임의 시즌을 지금 끝내요. 먼저 확인을 받아요. !season end 라고 써도 돼요.
option-seasonend-game = 시즌을 끝낼 게임
season-end-which = 어느 게임의 시즌인가요? !season end { $games } 이라고 입력해 주세요.
season-end-ask = { $game } 시즌 { $number }이 모두에게 끝나요. 지금까지 { $tables }판을 했어요. { $resets }
season-end-table = { $game } 진행 중이에요. 끝난 뒤에 시즌을 끝내거나, 먼저 !cancel { $word } 로 취소해 주세요.
season-end-changed = 그사이에 시즌이 바뀌었어요. !season 을 확인해 주세요.
season-undone = { $game } 시즌 { $number }이 계속돼요. 순위표가 다시 열렸고, 처음부터 시작됐던 것도 모두 돌아왔어요.
season-undone-lacking = 새 시즌이 준 것을 모두 거두지는 못했어요: { $names }에게서 { $credits }이 모자라요.
season-undone-ends = 이 시즌은 이미 끝날 때가 됐어요. 한도를 늘리지 않으면 다음 판에 다시 끝나요.
season-undo-later = 그 뒤에 { $game } 시즌 { $number }도 끝났어요. 먼저 그것을 되돌려 주세요.
season-undo-gone = 그 시즌은 더는 되돌릴 수 없어요.
