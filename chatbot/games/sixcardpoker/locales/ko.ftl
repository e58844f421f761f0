# Six Card Poker
# No particle hangs on a number, cards or a name: those are followed by a noun of our own, or stand in brackets or behind a colon.

game-sixcardpoker = 식스 카드 포커
sixcard-title = 식스 카드 포커

# Opening
sixcard-hash = { $who }님을 상대할 하우스는 이미 카드를 배치했어요. 그 배치의 해시(SHA-256): { $digest }.
sixcard-opened = { $who }님과 하우스의 식스 카드 포커({ $terms })! { $who }님의 카드: { $cards }. { $seconds }초 안에 하이 3장, 미들 2장, 로우 1장 순서로 배치하세요(예: !set { $example }). 맡기려면 !set auto.
    .text-2 = { $who }님이 하우스에 도전해요! 식스 카드 포커({ $terms }), 카드는 { $cards }. { $seconds }초 안에 하이 3장, 미들 2장, 로우 1장으로 나눠 보세요(예: !set { $example }). 맡기려면 !set auto.
sixcard-challenge = { $who }님이 { $rival }님에게 식스 카드 포커 결투를 신청했어요({ $terms })! { $rival }님, { $seconds }초 안에 !sixcard accept(수락) 아니면 !sixcard decline(거절)로 답해 주세요.
    .text-2 = 결투예요! { $who }님이 { $rival }님과 식스 카드 포커로 겨루고 싶대요({ $terms }). { $rival }님, { $seconds }초 안에 !sixcard accept(수락) 아니면 !sixcard decline(거절)로 답해 주세요.
sixcard-challenge-seat = { $who }님이 { $rival }님에게 식스 카드 포커 결투를 신청했어요({ $terms })! { $rival }님, { $seconds }초 안에 !sixcard accept(수락) 아니면 !sixcard decline(거절)로 답해 주세요. 카드는 두 분의 자리 페이지에서 볼 수 있어요.
sixcard-accepted = { $rival }님이 { $who }님의 결투를 받아들였어요({ $terms })! 두 분 모두 혼자만 볼 수 있는 카드를 받았고, { $seconds }초 안에 배치해야 해요.
sixcard-awaiting = { $rival }님이 { $who }님의 결투를 받아들였어요({ $terms })! { $seconds }초 안에 { $count ->
    [1] { $names }님이 자리를 열면
   *[other] { $names }님이 모두 자리를 열면
} 카드를 나눠요.
sixcard-unseated = { $names }님의 자리가 제때 열리지 않아 { $who }님과 { $rival }님의 결투가 취소됐어요. 판돈은 돌려줘요.
sixcard-dealt = 내 카드: { $cards }. { $seconds }초 안에 하이 3장, 미들 2장, 로우 1장 순서로 몰래 배치하세요(예: !set { $example }). 맡기려면 !set auto.
sixcard-declined = { $rival }님이 { $who }님의 결투를 거절했어요.
sixcard-taken-back = { $who }님이 { $rival }님에게 신청한 결투를 거둬들였어요.
sixcard-lapsed = { $rival }님이 제때 답하지 않아 { $who }님의 결투가 취소됐어요.
sixcard-arranged = { $who }님이 배치했어요.
sixcard-arranged-again = { $who }님이 다시 배치했어요.
sixcard-you-arranged = 내 배치: { $hands }. 두 사람이 모두 배치하기 전까지는 바꿀 수 있어요.
sixcard-exposed = 여기에 쓰면 다른 사람도 다 볼 수 있어요! 저에게 귓속말로 보내거나, 나만 보이는 버튼이 있으면 그 버튼을 쓰세요. 지금이라도 바꿀 수 있어요.

# The end
sixcard-late = 시간 끝! 최선의 플레이로 대신 배치했어요: { $names }.
sixcard-revealed = { $verdict } { $first }님 대 { $second }님: 하이 { $high } · 미들 { $middle } · 로우 { $low }.
sixcard-beats = { $own } > { $other }
sixcard-draws = { $own } = { $other }
sixcard-loses = { $own } < { $other }
sixcard-sum = { $cards } (합 { $sum })
sixcard-pair = { $face } 페어
sixcard-won = { $points } 대 { $others }, { $who }님의 승리!
sixcard-won-paid = { $points } 대 { $others }, { $who }님이 이기고 { $payout } 받아요!
sixcard-won-house = { $points } 대 { $others }, { $who }님의 승리! 판돈은 하우스 몫이에요({ $stake }).
sixcard-drawn = 1½ 대 1½, 무승부예요.
sixcard-drawn-staked = 1½ 대 1½, 무승부예요. 판돈은 돌려드려요.
sixcard-nonce = 하우스 확인: 16바이트 { $nonce } 그리고 글자 { $hands } 순서로 이어 붙여 SHA-256을 구하면 처음에 알린 해시가 나와요.

# The review
sixcard-review = { $who }님 복기: { $average } { $this_time }
sixcard-review-flawless = { $hands } 배치가 최선이었어요(최선의 플레이를 상대로 기대 승률 { $score }).
sixcard-review-better = 최선의 플레이를 상대로 { $hands } 배치의 기대 승률은 { $score }, { $best } 배치라면 { $most }.
sixcard-review-won = { $other }님이 실제로 둔 배치에는 이겼어요.
sixcard-review-could-win = { $other }님이 실제로 둔 배치는 { $hands } 배치로 이길 수 있었어요.
sixcard-review-could-draw = { $other }님이 실제로 둔 배치는 이길 수 없었지만, { $hands } 배치로 비길 수는 있었어요.
sixcard-review-only-drew = { $other }님이 실제로 둔 배치는 어떻게 해도 이길 수 없었어요.
sixcard-review-only-lost = { $other }님이 실제로 둔 배치는 어떻게 해도 이기거나 비길 수 없었어요.

# Refusals
sixcard-usage = 하우스와 하려면 !sixcard 50(판돈은 빼도 돼요), 결투를 신청하려면 !sixcard @이름 50, 답하려면 !sixcard accept 아니면 !sixcard decline이라고 쓰세요.
sixcard-house = 하우스는 이름으로 부를 수 없어요. 하우스와 하려면 !sixcard만 입력하세요.
sixcard-no-secrets = 결투는 제가 두 분에게 카드를 몰래 알려 드릴 수 있는 곳에서만 할 수 있어요. 여기서는 !sixcard 입력하고 하우스와 겨뤄 보세요.
sixcard-no-duels = 여기서는 결투를 할 수 없어요. !sixcard 입력하고 하우스와 겨뤄 보세요.
sixcard-yourself = 자기 자신에게 결투를 신청할 수는 없어요. 하우스와 하려면 !sixcard만 입력하세요.
sixcard-challenged = { $who }님이 결투를 신청했어요({ $terms }). 먼저 !sixcard accept 아니면 !sixcard decline으로 답해 주세요.
sixcard-own-challenge = { $who }님이 아직 결투에 답하지 않았어요. !sixcard decline 입력하면 거둬들일 수 있어요.
sixcard-no-challenge = 답할 결투가 없어요. 게임을 시작하려면 !sixcard 입력하세요.
sixcard-busy = { $who }님은 지금 다른 판을 하고 있어요. 그 판이 끝나면 다시 신청해 주세요.
sixcard-already = 이미 게임 중이에요. 먼저 !set 하이 미들 로우 순서로 배치하거나 !set auto라고 쓰세요.
sixcard-seats-first = 결투가 이미 시작됐어요. 자리를 열면 카드를 나눠요. 그만두려면 !sixcard decline을 입력하세요.
sixcard-not-yours = 여기는 다른 사람의 테이블이에요. !sixcard 입력하고 따로 시작하세요.
sixcard-no-cards = 배치할 카드가 없어요. !sixcard 입력하고 시작하세요.
sixcard-hands = 1부터 4까지의 카드를 세 장, 두 장, 한 장으로 나눠 !set 144 23 1처럼 쓰거나, !set auto라고 쓰세요.
sixcard-sizes = 하이는 세 장, 미들은 두 장, 로우는 한 장이에요. !set 144 23 1처럼 쓰세요.
sixcard-other-cards = 내 카드와 달라요. 내 카드: { $cards }.
sixcard-secret-cards = 내 카드와 달라요. 카드는 본인에게만 알려 드리니, 저에게 귓속말로 보내거나, 나만 보이는 버튼이 있으면 그 버튼을 쓰세요.

# Rules
sixcard-rules-short = 식스 카드 포커: 카드 여섯 장을 하이(3장), 미들(2장), 로우(1장)로 나눠요. 셋 중 더 많이 이긴 쪽이 승리!
sixcard-rules = 식스 카드 포커: 1~4가 네 장씩 모두 16장, 두 사람이 여섯 장씩 받아 세 패로 나눠요. 하이는 세 장이고 합이 큰 쪽이 이겨요. 미들은 두 장이고 페어가 먼저, 다음은 높은 카드, 그다음은 남은 카드로 가려요. 로우는 한 장이고 높은 쪽이 이겨요. 패마다 이기면 1점, 비기면 ½점. 1½점을 넘으면 승리, 꼭 1½점이면 무승부예요.
sixcard-rules-house = !sixcard 50은 50 { currency } 판돈으로 하우스와 하는 게임이에요. 내 카드는 모두에게 보이고, 하우스는 자기 카드만 보고 최선의 플레이로 먼저 배치해요(해시는 !fair sixcard). !set 144 23 1(하이, 미들, 로우)처럼 배치하거나 최선의 플레이를 뜻하는 !set auto를 쓰세요. { $seconds }초가 지나면 auto로 배치해요. 이기면 판돈의 두 배, 비기면 판돈 그대로 받아요.
sixcard-rules-duels = 제가 두 사람에게 카드를 몰래 알려 줄 수 있는 곳이라면 !sixcard @이름 50으로 결투를 신청할 수 있어요. 카드와 배치는 둘 다 배치할 때까지 비밀이에요. 상대는 { $seconds }초 안에 !sixcard accept(수락) 아니면 !sixcard decline(거절)로 답해요. 이기면 두 사람의 판돈을 모두 받고, 비기면 각자 돌려받아요.

# The board
sixcard-fact-stake = 판돈
sixcard-hand-cards = 카드
sixcard-hand-high = 하이
sixcard-hand-middle = 미들
sixcard-hand-low = 로우
sixcard-detail-sum = 합 { $sum }
sixcard-detail-no-pair = 페어 없음
sixcard-place-opening = 준비 중
sixcard-place-challenger = 결투 신청
sixcard-place-challenged = 답을 기다리는 중
sixcard-place-open = 자리 열림
sixcard-place-closed = 자리를 아직 안 열었음
sixcard-place-setting = 배치 중
sixcard-place-set = 배치 완료
sixcard-place-over = 3점 중 { $points }점
sixcard-place-paid = 3점 중 { $points }점, 받은 금액 { $payout }
sixcard-place-off = 하지 않음
sixcard-note-opening = !sixcard 입력하고 시작하세요.
sixcard-note-challenge = { $who }님의 답을 기다리고 있어요.
sixcard-note-challenger = { $who }님의 답을 기다리고 있어요. !sixcard decline 입력하면 거둬들일 수 있어요.
sixcard-note-challenged = 결투 신청을 받았어요: !sixcard accept(수락) 아니면 !sixcard decline(거절).
sixcard-note-seats = 두 자리가 모두 열리면 카드를 나눠요.
sixcard-note-arrange = 내 카드: { $cards }. 하이, 미들, 로우 순서로 !set { $example }처럼 배치하거나, !set auto라고 쓰세요.
sixcard-note-set = 내 배치: { $hands }. 두 사람이 모두 배치하기 전까지는 바꿀 수 있어요.
sixcard-note-solo = 하우스는 이미 배치했어요. 그 해시는 !fair sixcard 로 볼 수 있어요.
sixcard-note-duel = 두 사람이 몰래 배치하고 있어요.
sixcard-note-over = 게임이 끝났어요.
sixcard-note-off = 카드를 나누지 않고 끝났어요.
sixcardpoker-phase-opening = 준비
sixcardpoker-phase-challenge = 결투 신청
sixcardpoker-phase-seats = 두 자리를 기다리는 중
sixcardpoker-phase-arrangement = 카드 배치
sixcard-button-honour = 판돈 없이 하우스와 하기
sixcard-button-stake = { $stake } 걸고 하우스와 하기
sixcard-button-challenge = { $who }님에게 결투 신청
sixcard-button-accept = 수락
sixcard-button-decline = 거절
sixcard-button-arrive = 내 자리 열기
sixcard-button-auto = 자동(최선의 플레이)
form-arrange = 직접 배치…

# Commands
help-sixcard = 하우스와 식스 카드 포커를 하거나 @이름을 붙여 결투를 신청해요. rules를 붙이면 규칙을 알려 줘요.
help-arrange = 카드 여섯 장을 하이, 미들, 로우로 배치해요. 예: !set 144 23 1, 최선의 플레이는 auto.
option-sixcard-opponent = 결투 상대, 비우면 하우스와 하기
option-sixcard-stake = 69, 1k, 25%, half, all 같은 크레딧, 0이면 판돈 없이
option-sixcard-answer = 결투 신청에 대한 답
option-arrange-hands = 144 23 1처럼 카드 세 장, 두 장, 한 장, 또는 auto

# Settings
setting-sixcardpoker-arrangement = 카드를 배치하는 시간(초), 지나면 최선의 플레이로 배치해요
setting-sixcardpoker-acceptance = 결투에 답하는 시간(초), 지나면 취소돼요
setting-sixcardpoker-starters = 하우스와 하거나 결투를 신청할 수 있는 가장 낮은 역할
setting-sixcardpoker-duels = 서로 결투할 수 있는지
setting-sixcardpoker-default_stake = 따로 말하지 않을 때의 판돈(가장 작은 판돈과 가장 큰 판돈 사이), 0이면 판돈 없이
setting-sixcardpoker-min_stake = 가장 작은 판돈
setting-sixcardpoker-max_stake = 가장 큰 판돈, 0이면 제한 없음
setting-sixcardpoker-games = 한 방에서 동시에 할 수 있는 게임 수

sixcard-odds = 하우스를 상대로 가장 잘하면(!set auto) 승리 { $win }%에 ×2, 무승부 { $draw }%에 판돈 반환, 패배 { $loss }%예요. 길게 보아 100%가 돌아오고, 그보다 나은 방법은 없어요.
sixcard-odds-duel = 결투에서는 이긴 사람이 판돈을 모두 가져가고, 하우스는 아무것도 가져가지 않아요.
preset-sixcardpoker-usual = 한 사람에 60초
preset-sixcardpoker-short = 한 사람에 30초
preset-sixcardpoker-stakes = 기본 판돈 50
about-sixcardpoker = 식스 카드 포커: 카드 여섯 장을 세 패로 나누고, 상대보다 많은 패를 이기면 돼요.
example-sixcard = !sixcard 50
blank-high = 하이
blank-middle = 미들
blank-low = 로우

# 디스코드 목록에 나오는 슬래시 명령과 그 칸의 이름이에요. 띄어쓰기 없이 써요.
slash-name-sixcard = 식스카드
slash-name-arrange = 배치
slash-option-opponent = 상대
slash-option-answer = 대답
slash-option-hands = 카드배치
